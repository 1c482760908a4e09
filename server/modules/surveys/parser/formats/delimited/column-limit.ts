import { SurveyFileError } from '../../errors.ts'
import type { SurveyRecord } from '../../table.ts'

/** Yields the records, each within the limit of columns; comments are not split into columns. */
export async function* narrow(
  records: AsyncIterable<SurveyRecord>,
  maxColumns: number,
): AsyncGenerator<SurveyRecord, void, undefined> {
  for await (const record of records) {
    const { fields, line } = record
    if (fields.length > maxColumns && !fields[0]!.startsWith('#'))
      throw new SurveyFileError('TOO_MANY_COLUMNS', `line ${line} has more than ${maxColumns} columns`, line)
    yield record
  }
}
