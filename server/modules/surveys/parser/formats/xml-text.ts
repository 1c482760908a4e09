import { SurveyFileError } from '../errors.ts'

const MARKS: [start: number[], encoding: string][] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]
const PIECE = 64 * 1024

/**
 * The text of an XML file in pieces, in the encoding that its mark or its declaration names (XML 1.0, appendix F), else
 * UTF-8. @throws SurveyFileError NOT_TEXT for an encoding that is unknown, or that the file is not in
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
      `the file says that it is in ${label} and holds other bytes: save it as UTF-8`,
    )
  }
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw new SurveyFileError('NOT_TEXT', `the file says that it is in ${label}, which is not known: save it as UTF-8`)
  }
}
