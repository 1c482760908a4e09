import { setImmediate } from 'node:timers/promises'
import { SurveyFileError } from '../../errors.ts'

/** Characters processed without a pause, some tens of milliseconds at worst, so that requests are not blocked. */
const SLICE_CHARACTERS = 8 * 1024

/**
 * Divides a text into slices of 8 Ki characters and yields to the event loop between them; no slice ends inside a
 * surrogate pair. `line` is the number of the slice's first line, with empty ones counted. @throws SurveyFileError
 * TOO_MANY_ROWS after the last allowed line.
 */
export async function* paced(
  text: AsyncIterable<string>,
  line: number,
  maxLines: number,
): AsyncGenerator<string, void, undefined> {
  let left = maxLines - line + 1
  for await (const piece of text) {
    for (let at = 0; at < piece.length; ) {
      if (left <= 0) throw new SurveyFileError('TOO_MANY_ROWS', `the file has more than ${maxLines} lines`)
      let end = Math.min(at + SLICE_CHARACTERS, piece.length)
      if (end < piece.length && isHighSurrogate(piece, end - 1)) end++
      for (let found = piece.indexOf('\n', at); found >= 0 && found < end; found = piece.indexOf('\n', found + 1)) {
        left--
        if (left === 0) end = found + 1
      }
      yield piece.slice(at, end)
      at = end
      await setImmediate()
    }
  }
}

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800

/**
 * Runs `work` without stack traces of errors: csv-parse creates an error for every record of a different width and
 * throws none of them.
 */
export function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
