/**
 * The queues of imports, by what an upload asks for. One with a header line is in queues of its own: a process of a
 * release that knows no such line takes none of them, where it would read the file by the header it has.
 */
export const IMPORT_JOBS = { plain: 'gcp-csv-import', byHeader: 'gcp-csv-import-by-header' } as const
export const FETCH_JOBS = { plain: 'gcp-csv-fetch', byHeader: 'gcp-csv-fetch-by-header' } as const

export type ImportKind = keyof typeof IMPORT_JOBS

export const kindOf = ({ header }: { header?: string | null | undefined }): ImportKind =>
  header ? 'byHeader' : 'plain'
