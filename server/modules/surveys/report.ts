import type { Report, ReportRow } from './schema.ts'

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

/** The report as CSV, one line a fault. */
export async function* reportCsv(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield 'row,line,title,status,code,column,value,message\r\n'
  for await (const { row, line, title, status, errors } of rows) {
    for (const { code, path, value, message } of errors) {
      const column = typeof path.at(-1) === 'string' && path.at(-1) !== 'rows' ? path.at(-1)! : null
      yield `${[row, line, title, status, code, column, value, message].map(csvCell).join(',')}\r\n`
    }
  }
}

/** A cell that no spreadsheet takes for a formula (OWASP, CSV injection): text that begins like one gets a `'`. */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
