import { stringify } from 'csv-stringify/sync'
import type { Report, ReportRow } from '../schema.ts'
import type { ReportHead } from './report-store.ts'

/** The report as JSON, piece by piece: a file may have as many bad rows as rows. */
export async function* reportJson(head: Omit<Report, 'rows'>, rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`
  let separator = ''
  for await (const row of rows) {
    yield separator + JSON.stringify(row)
    separator = ','
  }
  yield ']}'
}

/** The head of a report as those see it to whom the file does not belong: what was found, and none of its cells. */
export const withoutContents = (head: ReportHead): ReportHead => ({
  ...head,
  detected: head.detected && { ...head.detected, cells: [] },
  points: [],
})

const columns = ['row', 'line', 'title', 'status', 'code', 'column', 'value', 'message']

/** The report as CSV, one line a fault. No spreadsheet takes a cell for a formula: what begins like one gets a `'` (OWASP, CSV injection). */
export async function* reportCsv(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield lines([columns])
  for await (const { row, line, title, status, errors } of rows)
    yield lines(
      errors.map(({ code, column, value, message }) => [row, line, title, status, code, column, value, message]),
    )
}

const lines = (records: unknown[][]): string =>
  // A line end of any kind is quoted, not only the one between records: what stands behind it would begin a line.
  stringify(records, { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ })
