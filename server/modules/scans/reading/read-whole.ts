import { damaged } from '../processing/inspection.ts'
import type { OpenFile } from './open-file.ts'

/** The whole file, in memory once. @throws ScanFault when there are fewer or more bytes of it than there should be */
export async function readWhole({ bytes, size }: OpenFile): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(size)
  let at = 0
  for await (const piece of bytes) {
    if (at + piece.length > size) throw damaged(`The file has more bytes than the ${size} that were stored.`)
    all.set(piece, at)
    at += piece.length
  }
  if (at < size) throw damaged(`The file has ${at} bytes, not the ${size} that were stored.`)
  return all
}
