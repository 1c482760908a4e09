import { type Delimiter, readRecords } from '../formats/delimited/delimiter.ts'
import type { SurveyRecord } from '../table.ts'
import { columnsOf, coordinateKinds } from './columns.ts'

/** Whether a record has words only, as headers do: a row of coordinates has two numbers, be it in one cell. */
export const isHeaderLike = ({ fields }: SurveyRecord): boolean =>
  coordinateKinds(columnsOf(fields)).length > 0 || (fields.join(' ').match(/\d+(?:[.,]\d+)?/g) ?? []).length < 2

/** The first records of a file under the header line its sender gave: in place of the one it has, or on top of one without. */
export async function underHeader(
  records: SurveyRecord[],
  header: string | undefined,
  delimiter: Delimiter,
): Promise<SurveyRecord[]> {
  const [first] = records
  if (header === undefined || !first) return records
  for await (const { fields } of readRecords(lineOf(header), delimiter, { firstLine: 1, maxLines: 2 }))
    return [{ fields, line: first.line }, ...records.slice(isHeaderLike(first) ? 1 : 0)]
  return records
}

async function* lineOf(text: string): AsyncGenerator<string, void, undefined> {
  yield `${text}\n`
}
