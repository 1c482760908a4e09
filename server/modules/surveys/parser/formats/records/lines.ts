import { SurveyFileError } from '../../errors.ts'
import { paced } from '../delimited/slices.ts'

/** A line of a file without its end, and its number from 1. */
export type Line = { text: string; number: number }

/** Longer than any record of a survey text format. */
const MAX_CHARACTERS = 16 * 1024

/**
 * Iterates the non-empty lines of a text, in chunks between which it yields to the event loop.
 * @throws SurveyFileError LINE_TOO_LONG, TOO_MANY_ROWS after `maxLines`
 */
export async function* linesOf(text: AsyncIterable<string>, maxLines: number): AsyncGenerator<Line, void, undefined> {
  let held = ''
  let number = 0
  for await (const piece of paced(text, 1, maxLines)) {
    const lines = (held + piece).split('\n')
    held = lines.pop()!
    for (const line of lines) {
      number++
      if (line.length > MAX_CHARACTERS) throw tooLong(number)
      if (line.trim() !== '') yield { text: line, number }
    }
    if (held.length > MAX_CHARACTERS) throw tooLong(number + 1)
  }
  if (held.trim() !== '') yield { text: held, number: number + 1 }
}

const tooLong = (line: number) =>
  new SurveyFileError(
    'LINE_TOO_LONG',
    `line ${line} is longer than 16 KiB, longer than any record of this format`,
    line,
  )
