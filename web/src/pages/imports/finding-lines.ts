import type { CsvUploadReport } from '@cairn/sdk'

type Row = CsvUploadReport['rows'][number]
/** One thing that is wrong in one row. */
export type FindingLine = Pick<Row, 'row' | 'line' | 'title'> & Row['errors'][number]

/** What was found of the rows, one line a fault. What concerns the file as a whole and refused nothing stands elsewhere. */
export const linesOf = ({ rows }: CsvUploadReport, status: Row['status']): FindingLine[] =>
  rows
    .filter((row) => row.status === status && (row.row !== null || status === 'failed'))
    .flatMap(({ row, line, title, errors }) => errors.map((error) => ({ row, line, title, ...error })))

/** The causes, the most frequent first. */
export function byCause(lines: readonly FindingLine[]): [code: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { code } of lines) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
