import { SurveyFileError, type WarningCode } from '../../errors.ts'
import { startingWith } from '../../sampling.ts'
import { codePageOf, isMostlyUtf8 } from './code-page.ts'
import { streamDecoder } from './dos-pages.ts'
import { withoutPadding } from './padding.ts'
import { startsAsUtf8, textOf } from './utf-8.ts'
import { declaredEncoding, decoderOf, invalidIn } from './xml-text.ts'

/** A file as text with `\n` line ends. `encoding` and `notices` apply to the text read so far. */
export type OpenText = {
  text: AsyncGenerator<string, void, undefined>
  encoding: () => string
  notices: () => Notice[]
}
type Notice = { code: WarningCode; message: string }

/** Signatures of other files that are sent as tables. */
const signatures: [bytes: number[], kind: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook (.xls): save it as .xlsx or the sheet as CSV'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0x1f, 0x8b], 'a gzip archive: upload what is inside'],
]

const HEAD = 16 * 1024
const MARK = Buffer.from('\uFEFF')

/**
 * Decodes a file in chunks. It is in a code page if its beginning is not UTF-8, and otherwise from the first invalid
 * byte on, with a notice. A header in UTF-8 above other bytes is kept. XML has the encoding that it declares. Files in
 * UTF-16 arrive here as UTF-8.
 * @param usual the code page of the format; by default that of the words in the header
 * @throws SurveyFileError NOT_TEXT for a binary file or a wrong declaration, TOO_LARGE after `maxBytes`.
 */
export async function openText(bytes: AsyncIterable<Uint8Array>, maxBytes: number, usual?: string): Promise<OpenText> {
  const pieces = limited(bytes, maxBytes)
  const taken: Uint8Array[] = []
  for (let length = 0; length < HEAD; ) {
    const next = await pieces.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.length
  }
  const whole = Buffer.concat(taken)
  const signature = signatures.find(([start]) => start.every((byte, i) => whole[i] === byte))
  if (signature) throw new SurveyFileError('NOT_TEXT', `the file is ${signature[1]}`)
  const hasMark = whole.subarray(0, 3).equals(MARK)
  const { text: rest, notices } = withoutPadding(startingWith(hasMark ? [whole.subarray(3)] : taken, pieces))
  const declared = declaredEncoding(whole)
  if (declared !== undefined && declared !== 'utf-8')
    return { text: unixLines(decoded(rest, declared)), encoding: () => declared, notices }
  let page: string | undefined
  const fallback = () => {
    page = usual === undefined ? codePageOf(whole) : isIn(usual, whole) ? usual : 'utf-8'
    return streamDecoder(page)
  }
  const isOther =
    !hasMark && !startsAsUtf8(whole) && ((usual !== undefined && isIn(usual, whole)) || !isMostlyUtf8(whole))
  return {
    text: unixLines(textOf(rest, fallback, isOther)),
    encoding: () => page ?? (hasMark ? 'utf-8-bom' : 'utf-8'),
    notices: () => [...(page ? [encodingNotice('the file', page, 'save it as UTF-8')] : []), ...notices()],
  }
}

/** The first bytes of a text file, without a byte order mark. */
export const headText = (head: Buffer): string => head.toString('utf8').replace(/^\uFEFF/, '')

/** The notice of a text that was read in an assumed code page. @param mend what to do if letters are wrong */
export const encodingNotice = (what: string, page: string, mend: string): Notice => ({
  code: 'ENCODING_FALLBACK',
  message: `${what} is not${page === 'utf-8' ? ' wholly' : ''} UTF-8 and was read as ${page}: check letters other than A to Z; if they are wrong, ${mend}`,
})

/** Whether the beginning of a file is valid in a code page; a character may be cut at its end. */
function isIn(page: string, head: Buffer): boolean {
  try {
    new TextDecoder(page, { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
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

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string, void, undefined> {
  const decoder = decoderOf(encoding)
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? invalidIn(encoding) : error
  }
}

/** What DOS programs write after the last line, up to the end of a block of 128 bytes. */
const END_OF_FILE = '\x1a'
const MAX_ENDS = 128

async function* unixLines(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held = ''
  for await (const piece of text) {
    let all = held + piece
    held = ''
    let end = all.length
    while (all[end - 1] === END_OF_FILE && all.length - end < MAX_ENDS) end--
    if (end === all.length && all.endsWith('\r')) end--
    held = all.slice(end)
    all = all.slice(0, end)
    if (all !== '') yield all.includes('\r') ? all.replace(/\r\n?/g, '\n') : all
  }
  if (held === '\r') yield '\n'
}
