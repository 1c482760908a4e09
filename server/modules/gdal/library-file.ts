import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'

/** Above the size of each file, so that it is unpacked in one piece and not copied together. */
const ONE_PIECE = 2 ** 25

/** Where a file of GDAL's package is. Cairn's own npm package has it compressed, with `.zst` at the end of its name. */
export const libraryFile = (path: string): string => (existsSync(path) ? path : `${path}.zst`)

/** Reads a file of GDAL's package, and unpacks it if it is compressed. */
export async function readLibraryFile(path: string): Promise<Buffer<ArrayBuffer>> {
  const stored = libraryFile(path)
  if (stored === path) return readFile(path)
  const unpacked = await promisify(zstdDecompress)(await readFile(stored), { chunkSize: ONE_PIECE })
  return unpacked as Buffer<ArrayBuffer>
}
