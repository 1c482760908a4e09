import type { SurveyRecord } from './delimiter.ts'
import { SurveyFileError } from './faults.ts'

const SAMPLE_CHARACTERS = 64 * 1024
const SAMPLE_RECORDS = 50

/** The text's first 64 KiB, or somewhat more. */
export async function takeSample(text: AsyncIterator<string>): Promise<string> {
  let sample = ''
  while (sample.length < SAMPLE_CHARACTERS) {
    const next = await text.next()
    if (next.done) break
    sample += next.value
  }
  return sample
}

/** The records as long as each keeps to the limit of columns; a comment is not cut into columns. */
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

/** The first records, to see what the file is; a fault among them is thrown after them, by `rest`, or now if there are none. */
export async function takeRecords(
  records: AsyncGenerator<SurveyRecord>,
): Promise<{ first: SurveyRecord[]; rest: AsyncIterable<SurveyRecord> }> {
  const first: SurveyRecord[] = []
  try {
    while (first.length < SAMPLE_RECORDS) {
      const next = await records.next()
      if (next.done) break
      first.push(next.value)
    }
  } catch (error) {
    if (first.length === 0) throw error
    return { first, rest: failing(error) }
  }
  return { first, rest: records }
}

async function* failing(error: unknown): AsyncGenerator<never, void, undefined> {
  yield* []
  throw error
}

/** What was taken for a look, and then the rest. */
export async function* startingWith<T>(
  head: string | readonly T[],
  rest: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  if (typeof head !== 'string') yield* head
  else if (head !== '') yield head as T
  yield* rest
}
