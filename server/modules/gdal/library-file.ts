import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'

/** Above the size of each file, so that it is unpacked in one piece and not copied together. */
const ONE_PIECE = 2 ** 25

/** Reads a file of GDAL's package. Cairn's own npm package has it compressed, with `.zst` at the end of its name. */
export async function readLibraryFile(path: string): Promise<Buffer<ArrayBuffer>> {
  if (existsSync(path)) return readFile(path)
  const unpacked = await promisify(zstdDecompress)(await readFile(`${path}.zst`), { chunkSize: ONE_PIECE })
  return unpacked as Buffer<ArrayBuffer>
}
