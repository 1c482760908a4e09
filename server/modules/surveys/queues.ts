/**
 * Selects the queue of an import. Imports with a header line have separate queues: a process of a release without that
 * option must not run them, because it would use the header of the file.
 */
export const IMPORT_JOBS = { plain: 'gcp-csv-import', byHeader: 'gcp-csv-import-by-header' } as const
export const FETCH_JOBS = { plain: 'gcp-csv-fetch', byHeader: 'gcp-csv-fetch-by-header' } as const

export type ImportKind = keyof typeof IMPORT_JOBS

export const kindOf = ({ header }: { header?: string | null | undefined }): ImportKind =>
  header ? 'byHeader' : 'plain'
