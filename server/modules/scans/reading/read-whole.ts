import { damaged } from '../processing/inspection.ts'
import type { OpenFile } from './open-file.ts'

/** Reads the whole file into memory. @throws ScanFault if it has fewer or more bytes than recorded */
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
