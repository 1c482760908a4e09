import type { CsvUploadReport } from '@cairn/sdk'

export type Finding = CsvUploadReport['rows'][number]
/** One thing that is wrong in one row. */
export type FindingLine = Pick<Finding, 'row' | 'line' | 'title'> & Finding['errors'][number]

/** What was found of the rows, one line a fault. @param cause those of one cause; undefined: all */
export const linesOf = (findings: Finding[], cause: string | undefined): FindingLine[] =>
  findings.flatMap(({ row, line, title, errors }) =>
    errors.filter(({ code }) => cause === undefined || code === cause).map((error) => ({ row, line, title, ...error })),
  )

/** How many faults there are of some causes together. */
export const countOf = (causes: CsvUploadReport['causes']): number => causes.reduce((sum, { count }) => sum + count, 0)
