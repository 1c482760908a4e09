import { malformed } from '../errors.ts'

/** Yields the lines of a text, without comments and blank ones, split at blanks. A backslash continues a line. */
export function* textLines(bytes: Uint8Array, from = 0): Generator<string[]> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let begun = ''
  for (let at = from; at < text.length; ) {
    const found = text.indexOf(0x0a, at)
    const end = found < 0 ? text.length : found
    if (begun.length + end - at > maxLine) throw malformed(`A line is longer than ${maxLine} bytes.`)
    const line = begun + withoutComment(text.toString('latin1', at, end)).trim()
    at = end + 1
    begun = line.endsWith('\\') && at < text.length ? `${line.slice(0, -1)} ` : ''
    if (begun === '' && line !== '') yield line.split(/\s+/)
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
