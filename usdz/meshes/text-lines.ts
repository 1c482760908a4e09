import { ConversionError, malformed } from '../errors.ts'

/** Yields the lines of a text, without comments and blank ones, split at blanks. A backslash continues a line. */
export function* textLines(bytes: Uint8Array, from = 0): Generator<string[]> {
  // Numbers and keywords are ASCII.
  const characters = new TextDecoder('latin1')
  let parts: string[] = []
  let begin = from
  for (let at = from; at < bytes.length; ) {
    const found = bytes.indexOf(0x0a, at)
    const end = found < 0 ? bytes.length : found
    if (end - begin > maxLine) throw malformed(`A line is longer than ${maxLine} bytes.`)
    const part = withoutComment(characters.decode(bytes.subarray(at, end))).trim()
    at = end + 1
    const isContinued = part.endsWith('\\') && at < bytes.length
    parts.push(isContinued ? part.slice(0, -1) : part)
    if (isContinued) continue
    const line = parts.length === 1 ? part : parts.join(' ').trim()
    parts = []
    begin = at
    if (line !== '') yield line.split(/\s+/)
  }
}

const maxLine = 1_000_000

function withoutComment(line: string): string {
  const at = line.indexOf('#')
  return at < 0 ? line : line.slice(0, at)
}

/**
 * Runs a reader of a line.
 * @throws its ConversionError, with the beginning of the line.
 */
export function inLine<T>(words: readonly string[], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConversionError) || error.code !== 'malformed') throw error
    throw malformed(`${error.message} See the line "${words.join(' ').slice(0, 80)}".`, { cause: error })
  }
}

/** Parses a number. @throws ConversionError for anything else */
export function numberIn(text: string | undefined): number {
  if (text === undefined || text === '') throw malformed('A number is missing.')
  const value = Number(text)
  if (!Number.isFinite(value)) throw malformed(`"${text.slice(0, 40)}" is not a number.`)
  return value
}
