import { SurveyFileError } from '../errors.ts'

/** Reads a whole file, for formats that need random access. @throws SurveyFileError TOO_LARGE */
export async function wholeFile(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > maxBytes) throw new SurveyFileError('TOO_LARGE', `the file is larger than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}
