import { isUtf8 } from 'node:buffer'
import { SurveyFileError } from '../../errors.ts'

export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** `encoding` of the text so far: changes to windows-1252 at the first byte that is invalid UTF-8. */
export type DecodedText = { encoding: Encoding; text: AsyncGenerator<string, void, undefined> }

/** Signatures of other files that are sent as tables. */
const signatures: [bytes: number[], kind: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook (.xls): save it as .xlsx or the sheet as CSV'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0x1f, 0x8b], 'a gzip archive: upload what is inside'],
]

/**
 * Decodes a survey file into text with `\
 * ` line ends, in chunks. A byte order mark decides; without one it is UTF-8 up
 * to the first invalid byte, and windows-1252 from there (what spreadsheets write by default).
 * @throws SurveyFileError NOT_TEXT for a binary file, TOO_LARGE after `maxBytes`.
 */
export async function decode(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<DecodedText> {
  const pieces = limited(bytes, maxBytes)
  let head = Buffer.alloc(0)
  while (head.length < 4) {
    const next = await pieces.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const signature = signatures.find(([start]) => start.every((byte, i) => head[i] === byte))
  if (signature) throw new SurveyFileError('NOT_TEXT', `the file is ${signature[1]}`)
  const [encoding, mark] = markOf(head)
  const decoded: DecodedText = { encoding, text: empty() }
  const rest = prepend(head.subarray(mark), pieces)
  decoded.text = unixLines(encoding.startsWith('utf-16') ? utf16(rest, encoding) : utf8(rest, decoded))
  return decoded
}

async function* empty(): AsyncGenerator<string, void, undefined> {}

function markOf(head: Buffer): [Encoding, length: number] {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return ['utf-8-bom', 3]
  if (head[0] === 0xff && head[1] === 0xfe) return ['utf-16le', 2]
  if (head[0] === 0xfe && head[1] === 0xff) return ['utf-16be', 2]
  // Without a byte order mark, two ASCII letters decide.
  const zeros = [...head.subarray(0, 4)].map((byte) => byte === 0)
  if (head.length >= 4 && zeros.join() === 'false,true,false,true') return ['utf-16le', 0]
  if (head.length >= 4 && zeros.join() === 'true,false,true,false') return ['utf-16be', 0]
  return ['utf-8', 0]
}

async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.length
    if (seen > maxBytes) throw new SurveyFileError('TOO_LARGE', `the file is larger than ${maxBytes} bytes`)
    yield piece
  }
}

async function* prepend(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (first.length > 0) yield first
  yield* rest
}

async function* utf16(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  for await (const piece of bytes) {
    const text = decoder.decode(piece, { stream: true })
    if (text.includes('\0'))
      throw new SurveyFileError('NOT_TEXT', 'the file has NUL characters and is not text: save it as UTF-8')
    yield text
  }
  yield decoder.decode()
}

async function* utf8(bytes: AsyncIterable<Uint8Array>, decoded: DecodedText): AsyncGenerator<string, void, undefined> {
  const fallback = new TextDecoder('windows-1252')
  let held: Uint8Array = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (piece.includes(0))
      throw new SurveyFileError('NOT_TEXT', 'the file has NUL bytes and is not text: save it as UTF-8')
    if (decoded.encoding === 'windows-1252') {
      yield fallback.decode(piece)
      continue
    }
    const all =
      held.length > 0 ? Buffer.concat([held, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    const whole = wholeLength(all, all.length)
    if (isUtf8(all.subarray(0, whole))) {
      yield all.toString('utf8', 0, whole)
      held = all.subarray(whole)
      continue
    }
    const good = validLength(all, whole)
    decoded.encoding = 'windows-1252'
    yield all.toString('utf8', 0, good) + fallback.decode(all.subarray(good))
    held = Buffer.alloc(0)
  }
  if (held.length > 0) {
    decoded.encoding = 'windows-1252'
    yield fallback.decode(held)
  }
}

/** The length without a truncated character at the end: at most three bytes less. */
function wholeLength(bytes: Buffer, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!
    if (byte < 0x80) return length
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? length - back : length
    }
  }
  return length
}

/** The number of valid UTF-8 bytes at the start, by binary search: prefixes are valid up to the first bad byte. */
function validLength(bytes: Buffer, length: number): number {
  let good = 0
  let bad = length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(bytes.subarray(0, wholeLength(bytes, middle)))) good = middle
    else bad = middle
  }
  return wholeLength(bytes, good)
}

async function* unixLines(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held = ''
  for await (const piece of text) {
    let all = held + piece
    held = ''
    if (all.endsWith('\r')) {
      held = '\r'
      all = all.slice(0, -1)
    }
    if (all !== '') yield all.includes('\r') ? all.replace(/\r\n?/g, '\n') : all
  }
  if (held) yield '\n'
}
