import { SurveyFileError } from '../../errors.ts'

const PIECE = 64 * 1024
const DECLARATION = /^(\s*<\?xml[^>]{0,100}\sencoding\s*=\s*["'])([\w.:-]{1,40})(["'])/

/**
 * The encoding that XML declares (XML 1.0, 4.3.3), by its name in the WHATWG Encoding standard; undefined without a
 * declaration. A file that declares UTF-16 and has single bytes is UTF-8.
 * @throws SurveyFileError NOT_TEXT for an unknown encoding
 */
export function declaredEncoding(file: Uint8Array): string | undefined {
  const label = DECLARATION.exec(headOf(file))?.[2]
  const name = label === undefined ? undefined : decoderOf(label).encoding
  return name?.startsWith('utf-16') ? 'utf-8' : name
}

/** Decodes an XML file in chunks, by its declaration, otherwise as UTF-8. @throws SurveyFileError NOT_TEXT */
export function* xmlText(file: Uint8Array): Generator<string, void> {
  const encoding = declaredEncoding(file) ?? 'utf-8'
  const decoder = decoderOf(encoding)
  try {
    for (let at = 0; at < file.length; at += PIECE)
      yield decoder.decode(file.subarray(at, at + PIECE), { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? invalidIn(encoding) : error
  }
}

/** An XML file as UTF-8 with a declaration that says so, for programs that know few encodings. */
export function xmlAsUtf8(file: Buffer): Buffer {
  const declared = DECLARATION.exec(headOf(file))?.[2]
  if (declared === undefined || /^utf-?8$/i.test(declared)) return file
  return Buffer.from([...xmlText(file)].join('').replace(DECLARATION, '$1UTF-8$3'))
}

/** @throws SurveyFileError NOT_TEXT for an unknown encoding */
export function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw new SurveyFileError('NOT_TEXT', `the file declares the unknown encoding ${label}: save it as UTF-8`)
  }
}

export const invalidIn = (encoding: string) =>
  new SurveyFileError(
    'NOT_TEXT',
    `the file declares the encoding ${encoding} but has bytes that are invalid in it: save it as UTF-8`,
  )

const headOf = (file: Uint8Array): string =>
  Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 200))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
