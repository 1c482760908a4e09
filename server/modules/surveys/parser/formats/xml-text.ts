import { SurveyFileError } from '../errors.ts'

const MARKS: [start: number[], encoding: string][] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]
const PIECE = 64 * 1024

/**
 * Decodes an XML file in chunks, by its byte order mark or declaration (XML 1.0, appendix F), otherwise as UTF-8. @throws
 * SurveyFileError NOT_TEXT for an unknown or wrong encoding
 */
export function* xmlText(file: Uint8Array): Generator<string, void> {
  const mark = MARKS.find(([start]) => start.every((byte, i) => file[i] === byte))
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 200)).toString('latin1')
  const label = mark?.[1] ?? /^[^>]{0,100}\sencoding=["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8'
  const decoder = decoderOf(label)
  try {
    for (let at = 0; at < file.length; at += PIECE)
      yield decoder.decode(file.subarray(at, at + PIECE), { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new SurveyFileError(
      'NOT_TEXT',
      `the file declares the encoding ${label} but has bytes that are invalid in it: save it as UTF-8`,
    )
  }
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw new SurveyFileError('NOT_TEXT', `the file declares the unknown encoding ${label}: save it as UTF-8`)
  }
}
