import { readZip } from '../../layers/read-zip.ts'

/** Collects little-endian numbers of some bytes each. */
const numbers = (...parts: readonly [size: 2 | 4 | 8, value: number][]): Buffer =>
  Buffer.concat(
    parts.map(([size, value]) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(value))
      return bytes.subarray(0, size)
    }),
  )

const elsewhere = 0xffffffff

/**
 * Writes the files of a package in the extended (ZIP64) form, aligned.
 * @param size what the directory says of the size of each file.
 */
export function extendedPackage(usdz: Uint8Array, size = (length: number) => length): Uint8Array {
  let files = Buffer.alloc(0)
  let directory = Buffer.alloc(0)
  const entries = readZip(usdz)
  for (const { name, data, crc } of entries) {
    const start = files.length
    const sizes = numbers([2, 1], [2, 16], [8, data.length], [8, data.length])
    const unpadded = start + 30 + name.length + sizes.length + 4
    const padding = (64 - (unpadded % 64)) % 64
    const extra = Buffer.concat([sizes, numbers([2, 0x1986], [2, padding]), Buffer.alloc(padding)])
    const common = numbers([2, 45], [2, 0], [2, 0], [2, 0], [2, 0x21], [4, crc], [4, elsewhere], [4, elsewhere])
    const local = numbers([2, name.length], [2, extra.length])
    files = Buffer.concat([files, numbers([4, 0x04034b50]), common, local, Buffer.from(name), extra, data])
    const places = numbers([2, 1], [2, 24], [8, data.length], [8, size(data.length)], [8, start])
    const central = numbers([2, name.length], [2, places.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, elsewhere])
    const head = numbers([4, 0x02014b50], [2, 45])
    directory = Buffer.concat([directory, head, common, central, Buffer.from(name), places])
  }
  const [count, at] = [entries.length, files.length]
  const record = numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count])
  const where = numbers([8, directory.length], [8, at])
  const locator = numbers([4, 0x07064b50], [4, 0], [8, at + directory.length], [4, 1])
  const end = numbers([4, 0x06054b50], [4, 0], [2, 0xffff], [2, 0xffff], [4, elsewhere], [4, elsewhere], [2, 0])
  return new Uint8Array(Buffer.concat([files, directory, record, where, locator, end]))
}
