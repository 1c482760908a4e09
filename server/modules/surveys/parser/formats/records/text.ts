import type { WarningCode } from '../../errors.ts'
import { decode, type Encoding } from '../delimited/encoding.ts'

/**
 * A file as text with `\
 * ` line ends. `encoding` applies to the text read so far.
 */
export type OpenText = {
  text: AsyncIterable<string>
  encoding: () => Encoding
  notices: () => { code: WarningCode; message: string }[]
}

/** @throws SurveyFileError NOT_TEXT for a binary file, TOO_LARGE after `maxBytes` */
export async function openText(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<OpenText> {
  const decoded = await decode(bytes, maxBytes)
  return {
    text: decoded.text,
    encoding: () => decoded.encoding,
    notices: () =>
      decoded.encoding === 'windows-1252'
        ? [
            {
              code: 'ENCODING_FALLBACK',
              message: 'the file is not UTF-8 and was read as windows-1252: check accented letters',
            },
          ]
        : [],
  }
}

/** The first bytes of a file as text, in the encoding of its byte order mark, without the mark. */
export function headText(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le', 2)
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head)
  return head.toString('utf8', head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0)
}
