import { damaged } from '../../processing/inspection.ts'
import { isBlank, numberIn } from '../text-number.ts'

const [LINE_FEED, BACKSLASH, SLASH] = [0x0a, 0x5c, 0x2f]
/** A face with ten thousand corners is shorter. */
const LONGEST_LINE = 2 ** 20

/** A statement of the file, word by word. */
export type Words = {
  /** Whether the first word is that one. */
  is(keyword: string): boolean
  /** The number that the next word begins with, up to a slash; NaN when there is no further word, or it is no number. */
  number(): number
}

/**
 * Gives every line that is not blank, without holding the file. The words are the same object each time.
 * @throws ScanFault when a line does not end
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

  /** Takes all lines that end here. @returns where the one begins that does not */
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

/** A backslash at the end of a line joins the next one to it. */
function isContinued(bytes: Uint8Array, from: number, to: number): boolean {
  const last = bytes[to - 1] === 0x0d ? to - 2 : to - 1
  return last >= from && bytes[last] === BACKSLASH
}
