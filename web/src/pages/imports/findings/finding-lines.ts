import type { CsvUploadReport } from '@cairn/sdk'

export type Finding = CsvUploadReport['rows'][number]
/** One error or warning of a row. */
export type FindingLine = Pick<Finding, 'row' | 'line' | 'title'> & Finding['errors'][number]

/** The errors and warnings of rows, one per line. @param cause only this code; undefined for all */
export const linesOf = (findings: Finding[], cause: string | undefined): FindingLine[] =>
  findings.flatMap(({ row, line, title, errors }) =>
    errors.filter(({ code }) => cause === undefined || code === cause).map((error) => ({ row, line, title, ...error })),
  )

/** The total count of several causes. */
export const countOf = (causes: CsvUploadReport['causes']): number => causes.reduce((sum, { count }) => sum + count, 0)
