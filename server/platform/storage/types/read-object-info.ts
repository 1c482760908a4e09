import { createHash } from 'node:crypto'
import { collectYoungGarbage } from '../../process/garbage.ts'
import type { Objects, StoredObject } from '../objects.ts'
import { PEEK_BYTES } from './file-types.ts'

/** Reads an object to its end to determine size and hash. @returns undefined if it does not exist */
export async function readObjectInfo(objects: Objects, key: string): Promise<StoredObject | undefined> {
  const bytes = await objects.read(key)
  if (!bytes) return undefined
  const hash = createHash('sha256')
  const first: Uint8Array[] = []
  let size = 0
  const tidyUp = collectYoungGarbage()
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    if (size < PEEK_BYTES) first.push(chunk.subarray(0, PEEK_BYTES - size))
    size += chunk.length
    hash.update(chunk)
    tidyUp(chunk.length)
  }
  return { key, size, sha256: hash.digest('hex'), head: Buffer.concat(first) }
}
