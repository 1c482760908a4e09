import { SurveyFileError, type WarningCode } from '../../errors.ts'
import { truncate } from '../../truncate.ts'

const [NUL, LINE_FEED, RETURN] = [0, 10, 13]
/** A line that is longer is refused when it is read. */
const MAX_HELD = 256 * 1024
/** Bytes that show whether a text is XML or JSON. */
const MAX_START = 64

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/**
 * A text without the NUL bytes at its end that a logger leaves when it loses power. Its last line is left out with them
 * if it has no end: a number in it may be cut off. A line of XML or JSON that ends with a bracket is kept.
 * @throws SurveyFileError NOT_TEXT for NUL bytes elsewhere, or nothing else
 */
export function withoutPadding(bytes: AsyncIterable<Uint8Array>) {
  let [padding, length] = [0, 0]
  let [start, cut] = ['', '']
  async function* text(): AsyncGenerator<Uint8Array, void, undefined> {
    let line: Uint8Array[] = []
    let held = 0
    for await (const piece of bytes) {
      const end = padding > 0 ? 0 : piece.indexOf(NUL)
      const own = end < 0 ? piece : piece.subarray(0, end)
      if (end >= 0 && piece.subarray(end).some((byte) => byte !== NUL)) throw inside()
      padding += piece.length - own.length
      length += own.length
      if (start.length < MAX_START) start += latin1(own.subarray(0, MAX_START))
      const last = Math.max(own.lastIndexOf(LINE_FEED), own.lastIndexOf(RETURN)) + 1
      if (last > 0 || held > MAX_HELD) {
        yield* line
        yield own.subarray(0, last)
        ;[line, held] = [[], 0]
      }
      line.push(own.subarray(last))
      held += own.length - last
    }
    if (padding > 0 && length === 0) throw onlyNul()
    const rest = Buffer.concat(line)
    if (padding > 0) cut = latin1(rest).replaceAll('\x1a', '').trim()
    if (/^\s*[<{[]/.test(start) && /[>}\]]$/.test(cut)) cut = ''
    if (cut === '') yield rest
  }
  return { text: text(), notices: () => (padding > 0 ? [paddingNotice(padding, cut)] : []) }
}

const paddingNotice = (padding: number, cut: string): { code: WarningCode; message: string } => ({
  code: 'RECORDS_LEFT_OUT',
  message: `the file ends with ${padding} NUL ${padding === 1 ? 'byte' : 'bytes'}, as a logger leaves them that loses power: ${cut === '' ? 'they were not read' : `they were not read, and neither was the line before them, "${truncate(cut, 60)}", which may be cut off: if it is whole, remove the NUL bytes and import the file again`}`,
})

const inside = () =>
  new SurveyFileError(
    'NOT_TEXT',
    'the file has NUL bytes before its end, as a logger leaves them that loses power, or is not text: remove them, and check the lines around them, or save the file as UTF-8',
  )

const onlyNul = () =>
  new SurveyFileError('NOT_TEXT', 'the file has nothing but NUL bytes: copy it from the logger again')
