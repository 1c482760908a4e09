import { LRUCache } from 'lru-cache'
import type { Objects } from '../../../platform/storage/objects.ts'
import { readWholeObject } from './read-object.ts'

/** The largest object that is sent from one buffer: as much as a slow reader of a stream holds. */
export const SMALL_BYTES = 256 * 1024
const CACHED_BYTES = 16 * 2 ** 20
const MAX_CACHED = 4096
/** Bytes of a deleted object leave the memory within this time. */
const CACHED_MS = 5 * 60_000

/**
 * Reads small objects into buffers and keeps those last read, at most 16 MiB: the content of a key never changes. The
 * caller checks first that the object is still there and that the reader may see it. Callers must not change the buffer.
 */
export function smallObjects(objects: Objects) {
  const cached = new LRUCache<string, Buffer>({
    max: MAX_CACHED,
    maxSize: CACHED_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    ttl: CACHED_MS,
    ttlAutopurge: true,
  })
  return {
    /** @throws WrongBytes if the bytes do not match the known hash, or ObjectMissing */
    async read(file: { key: string; size: number; sha256?: string }): Promise<Buffer> {
      const known = cached.get(file.key)
      if (known) return known
      const bytes = Buffer.from((await readWholeObject(objects, file)).buffer)
      cached.set(file.key, bytes)
      return bytes
    },
  }
}
