import { stringify } from 'csv-stringify/sync'
import type { Export } from '../schema.ts'
import { withChecks } from './photo-checks.ts'
import { tableColumns } from './table-columns.ts'

/** Points as CSV (RFC 4180), safe against formula injection in spreadsheets. */
export async function* csvOf(source: Export): AsyncGenerator<string> {
  const columns = tableColumns(source.system)
  yield stringify([columns.map(({ name }) => name)], { record_delimiter: 'windows' })
  for await (const gcps of withChecks(source))
    yield stringify(
      gcps.map((gcp) => columns.map(({ cell }) => cell(gcp))),
      { quoted_string: true, record_delimiter: 'windows' },
    )
}
