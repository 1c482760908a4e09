import { stringify } from 'csv-stringify/sync'
import type { Report, ReportRow } from '../schema.ts'
import type { ReportHead } from './report-store.ts'

/** The report as JSON, in chunks: it may have as many rows as the file. */
export async function* reportJson(head: Omit<Report, 'rows'>, rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`
  let separator = ''
  for await (const row of rows) {
    yield separator + JSON.stringify(row)
    separator = ','
  }
  yield ']}'
}

/** The head of a report for viewers without access to the file: without its cells. */
export const withoutContents = (head: ReportHead): ReportHead => ({
  ...head,
  detected: head.detected && { ...head.detected, cells: [] },
  points: [],
})

const columns = ['row', 'line', 'title', 'status', 'code', 'column', 'value', 'message']

/** The report as CSV, one line a fault. Cells that begin like a formula get a `'` prefix (OWASP, CSV injection). */
export async function* reportCsv(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield lines([columns])
  for await (const { row, line, title, status, errors } of rows)
    yield lines(
      errors.map(({ code, column, value, message }) => [row, line, title, status, code, column, value, message]),
    )
}

const lines = (records: unknown[][]): string =>
  // Quote line ends of any kind within cells: text after one would begin a line.
  stringify(records, { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ })
