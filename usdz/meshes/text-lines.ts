import { malformed } from '../errors.ts'

/** Yields the lines of a text, without comments and blank ones, split at blanks. A backslash continues a line. */
export function* textLines(bytes: Uint8Array, from = 0): Generator<string[]> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let parts: string[] = []
  let begin = from
  for (let at = from; at < text.length; ) {
    const found = text.indexOf(0x0a, at)
    const end = found < 0 ? text.length : found
    if (end - begin > maxLine) throw malformed(`A line is longer than ${maxLine} bytes.`)
    const part = withoutComment(text.toString('latin1', at, end)).trim()
    at = end + 1
    const isContinued = part.endsWith('\\') && at < text.length
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

/** Parses a number. @throws ConversionError for anything else */
export function numberIn(text: string | undefined): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) throw malformed(`"${(text ?? '').slice(0, 40)}" is not a number.`)
  return value
}
