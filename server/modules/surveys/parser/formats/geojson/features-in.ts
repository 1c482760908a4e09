import { SurveyFileError } from '../../errors.ts'

/** Start, end and line of an object in the file. */
export type Span = { start: number; end: number; line: number }

/** Members of a GeoJSON file besides its features. */
export type Members = { crs: Span | undefined }

/** Characters between objects: JSON whitespace, and the record separator of RFC 8142. */
const BETWEEN = new Set(Buffer.from(' \t\r\n,\x1e'))
const MARK_BYTES = 3

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, NEWLINE, COLON] = [...Buffer.from('"\\{}[]\n:')] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]
const MAX_KEY = 20

/**
 * Finds the features of a GeoJSON text: of a collection (RFC 7946), of a sequence of objects (RFC 8142, or one a line),
 * or a single object. Parses nothing, so that depth and size cost no memory.
 * @param members receives the members besides the features, as far as they were passed
 * @throws SurveyFileError UNREADABLE_FILE if the text is truncated
 */
export function* featuresIn(file: Buffer, members: Members): Generator<Span, void> {
  let [depth, line, start, startLine, key] = [0, 1, 0, 1, '']
  let [itemStart, itemLine] = [0, 1]
  let [isCollection, inFeatures] = [false, false]
  let crsStart: number | undefined
  for (let at = file[0] === 0xef ? MARK_BYTES : 0; at < file.length; at++) {
    const byte = file[at]!
    const isBetween = depth === 0 || (depth === 2 && inFeatures)
    if (isBetween && byte !== OPEN && byte !== CLOSE_LIST && !BETWEEN.has(byte))
      throw new SurveyFileError(
        'UNREADABLE_FILE',
        `line ${line} has other content between the features: remove it`,
        line,
      )
    if (byte === NEWLINE) line++
    else if (byte === QUOTE) {
      const end = endOfString(file, at)
      if (end < 0) break
      if (depth === 1 && end - at <= MAX_KEY && isKey(file, end)) key = file.toString('latin1', at + 1, end)
      at = end
    } else if (byte === OPEN || byte === OPEN_LIST) {
      if (depth === 0) [start, startLine, isCollection, key] = [at, line, false, '']
      if (depth === 1 && byte === OPEN_LIST && key === 'features') [isCollection, inFeatures] = [true, true]
      if (depth === 1 && byte === OPEN && key === 'crs') crsStart = at
      if (depth === 2 && inFeatures) [itemStart, itemLine] = [at, line]
      depth++
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth--
      if (depth < 0) break
      if (depth === 2 && inFeatures) yield { start: itemStart, end: at + 1, line: itemLine }
      if (depth === 1) {
        if (crsStart !== undefined) members.crs = { start: crsStart, end: at + 1, line }
        ;[crsStart, inFeatures] = [undefined, false]
      }
      if (depth === 0 && !isCollection) yield { start, end: at + 1, line: startLine }
    }
  }
  if (depth !== 0)
    throw new SurveyFileError('UNREADABLE_FILE', `the file is truncated GeoJSON: it ends at line ${line}`, line)
}

function endOfString(file: Buffer, quote: number): number {
  for (let at = file.indexOf(QUOTE, quote + 1); at >= 0; at = file.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (file[before] === BACKSLASH) before--
    if ((at - 1 - before) % 2 === 0) return at
  }
  return -1
}

function isKey(file: Buffer, end: number): boolean {
  for (let at = end + 1; at < file.length; at++) if (file[at]! > 0x20) return file[at] === COLON
  return false
}
