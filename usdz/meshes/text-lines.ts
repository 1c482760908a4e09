import { malformed } from '../errors.ts'

/** Yields the lines of a text, without comments and blank ones, split at blanks. */
export function* textLines(bytes: Uint8Array, from = 0): Generator<string[]> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = from; at < text.length; ) {
    const found = text.indexOf(0x0a, at)
    const end = found < 0 ? text.length : found
    if (end - at > maxLine) throw malformed(`A line is longer than ${maxLine} bytes.`)
    const line = text.toString('latin1', at, end).trim()
    if (line !== '' && line[0] !== '#') yield line.split(/\s+/)
    at = end + 1
  }
}

const maxLine = 1_000_000

/** Parses a number. @throws ConversionError for anything else */
export function numberIn(text: string | undefined): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) throw malformed(`"${(text ?? '').slice(0, 40)}" is not a number.`)
  return value
}
