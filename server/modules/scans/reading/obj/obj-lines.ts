import { damaged } from '../../processing/inspection.ts'
import { isBlank, numberIn } from '../text-number.ts'

const [LINE_FEED, BACKSLASH, SLASH] = [0x0a, 0x5c, 0x2f]
/** Enough for a face with ten thousand corners. */
const LONGEST_LINE = 2 ** 20

/** A statement of the file, read word by word. */
export type Words = {
  /** Whether the first word is that one. */
  is(keyword: string): boolean
  /** The number at the start of the next word, up to a slash; NaN if there is no word or no number. */
  number(): number
}

/**
 * Iterates the non-blank lines without holding the file. Reuses the same object for the words.
 * @throws ScanFault if a line is too long
 */
export async function eachLine(pieces: AsyncIterable<Uint8Array>, take: (words: Words) => void): Promise<void> {
  let bytes: Uint8Array = new Uint8Array()
  let [at, end] = [0, 0]
  const pass = () => {
    while (at < end && (isBlank(bytes[at]!) || bytes[at] === BACKSLASH)) at++
  }
  const words: Words = {
    is(keyword) {
      const after = at + keyword.length
      if (after > end || (after < end && !isBlank(bytes[after]!))) return false
      for (let i = 0; i < keyword.length; i++) if (bytes[at + i] !== keyword.charCodeAt(i)) return false
      at = after
      return true
    },
    number() {
      pass()
      const from = at
      while (at < end && !isBlank(bytes[at]!) && bytes[at] !== SLASH) at++
      const to = at
      while (at < end && !isBlank(bytes[at]!)) at++
      return from === to ? Number.NaN : numberIn(bytes, from, to)
    },
  }

  /** Processes all complete lines. @returns the offset of the incomplete rest */
  const takeLines = (): number => {
    let from = 0
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, to + 1)) {
      if (isContinued(bytes, from, to)) continue
      at = from
      end = to
      pass()
      if (at < end) take(words)
      from = to + 1
    }
    return from
  }

  for await (const piece of pieces) {
    bytes = bytes.length > 0 ? Buffer.concat([bytes, piece]) : piece
    bytes = bytes.subarray(takeLines())
    if (bytes.length > LONGEST_LINE + piece.length) throw damaged('A line of the OBJ file does not end.')
  }
  bytes = Buffer.concat([bytes, Buffer.from('\n')])
  takeLines()
}

/** A trailing backslash joins the next line. */
function isContinued(bytes: Uint8Array, from: number, to: number): boolean {
  const last = bytes[to - 1] === 0x0d ? to - 2 : to - 1
  return last >= from && bytes[last] === BACKSLASH
}
