import { asUtf8, utf16Of } from './formats/text/utf-16.ts'
import type { SurveyRecord } from './table.ts'

const SAMPLE_CHARACTERS = 64 * 1024
const SAMPLE_RECORDS = 50

type Peeked = { head: Buffer; whole: AsyncIterable<Uint8Array> }

/** The first 64 KiB of a file or all of it, and an iterable of the whole file. A file in UTF-16 becomes UTF-8. */
export async function peekFile(bytes: AsyncIterable<Uint8Array>): Promise<Peeked & { encoding: string | undefined }> {
  const peeked = await peekHead(bytes)
  const encoding = utf16Of(peeked.head)
  return { ...(encoding ? await peekHead(asUtf8(peeked.whole, encoding)) : peeked), encoding }
}

async function peekHead(bytes: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const pieces = bytes[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  for (let length = 0; length < SAMPLE_CHARACTERS; ) {
    const next = await pieces.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.length
  }
  return {
    head: Buffer.concat(taken).subarray(0, SAMPLE_CHARACTERS),
    whole: startingWith(taken, { [Symbol.asyncIterator]: () => pieces }),
  }
}

/** The first 64 KiB of the text, or slightly more. */
export async function peekSample(text: AsyncIterator<string>): Promise<string> {
  let sample = ''
  while (sample.length < SAMPLE_CHARACTERS) {
    const next = await text.next()
    if (next.done) break
    sample += next.value
  }
  return sample
}

/**
 * The first records for detection; an error among them is thrown after them by `rest`, or at once if there are none.
 */
export async function peekRecords(
  source: AsyncIterable<SurveyRecord>,
  count = SAMPLE_RECORDS,
): Promise<{ first: SurveyRecord[]; rest: AsyncIterable<SurveyRecord> }> {
  const records = source[Symbol.asyncIterator]()
  const first: SurveyRecord[] = []
  try {
    while (first.length < count) {
      const next = await records.next()
      if (next.done) break
      first.push(next.value)
    }
  } catch (error) {
    if (first.length === 0) throw error
    return { first, rest: failing(error) }
  }
  return { first, rest: { [Symbol.asyncIterator]: () => records } }
}

async function* failing(error: unknown): AsyncGenerator<never, void, undefined> {
  yield* []
  throw error
}

/** The sampled items, and then the rest. */
export async function* startingWith<T>(
  head: string | readonly T[],
  rest: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  if (typeof head !== 'string') yield* head
  else if (head !== '') yield head as T
  yield* rest
}
