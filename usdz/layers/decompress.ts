/** The largest compression ratio of LZ4. */
const largestRatio = 255

/**
 * Decompresses an LZ4 block of a crate file: a byte with the number of chunks, 0 for a single chunk without length
 * prefix.
 * @throws Error when the data does not decompress to exactly `size` bytes.
 */
export function decompressChunks(source: Uint8Array, size: number): Uint8Array {
  if (!(size <= source.length * largestRatio)) throw new Error('Compressed data is shorter than it says.')
  const out = new Uint8Array(size)
  const end = unpack(source, out)
  if (end !== size) throw new Error(`Compressed data has ${end} bytes instead of ${size}.`)
  return out
}

/** @returns the end of the output. */
function unpack(source: Uint8Array, out: Uint8Array): number {
  const chunks = source[0] ?? 0
  if (chunks === 0) return decompressBlock(source.subarray(1), out, 0)
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  let end = 0
  for (let at = 1, i = 0; i < chunks; i++) {
    const length = view.getInt32(at, true)
    end = decompressBlock(source.subarray(at + 4, at + 4 + length), out, end)
    at += 4 + length
  }
  return end
}

/** Decompresses one LZ4 block. Format: lz4_Block_format.md of the LZ4 project. @returns the end of the output. */
function decompressBlock(source: Uint8Array, out: Uint8Array, start: number): number {
  let at = 0
  let end = start
  const length = (nibble: number): number => {
    let sum = nibble
    if (nibble < 15) return sum
    let more: number
    do {
      more = source[at++] ?? 0
      sum += more
    } while (more === 255)
    return sum
  }
  while (at < source.length) {
    const token = source[at++]!
    const literals = length(token >> 4)
    if (at + literals > source.length || end + literals > out.length) throw new Error('Compressed data is damaged.')
    if (literals > 16) out.set(source.subarray(at, at + literals), end)
    else for (let i = 0; i < literals; i++) out[end + i] = source[at + i]!
    at += literals
    end += literals
    if (at >= source.length) break
    const distance = source[at]! | ((source[at + 1] ?? 0) << 8)
    at += 2
    const matched = length(token & 15) + 4
    if (distance === 0 || distance > end - start || end + matched > out.length) {
      throw new Error('Compressed data is damaged.')
    }
    end = copyMatch(out, end, distance, matched)
  }
  return end
}

/** A match may overlap its own output: copying what exists doubles it each time. */
function copyMatch(out: Uint8Array, start: number, distance: number, length: number): number {
  const end = start + length
  if (length < 32) {
    for (let at = start; at < end; at++) out[at] = out[at - distance]!
    return end
  }
  const from = start - distance
  for (let at = start; at < end; ) {
    const size = Math.min(at - from, end - at)
    out.copyWithin(at, from, from + size)
    at += size
  }
  return end
}

/** Integers decoded per block: large enough for speed, small enough for the cache. */
const blockSize = 4096

/**
 * Decodes integers block by block, without keeping them all. The block buffer is reused.
 * @throws Error when there are fewer than `count`.
 */
export function eachBlock(source: Uint8Array, count: number, take: (block: Int32Array) => void): void {
  const codes = 4
  const differences = codes + Math.ceil(count / 4)
  const coded = unpackUpTo(source, differences, differences + count * 4)
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength)
  const common = view.getInt32(0, true)
  const block = new Int32Array(Math.min(blockSize, count))
  let at = differences
  let value = 0
  for (let start = 0; start < count; start += blockSize) {
    const size = Math.min(blockSize, count - start)
    for (let i = 0; i < size; i++) {
      const index = start + i
      // Face counts are one long run: a zero byte is four common differences.
      if ((index & 3) === 0 && i + 4 <= size && coded[codes + (index >> 2)] === 0) {
        block[i] = value = (value + common) | 0
        block[i + 1] = value = (value + common) | 0
        block[i + 2] = value = (value + common) | 0
        block[i + 3] = value = (value + common) | 0
        i += 3
        continue
      }
      const code = (coded[codes + (index >> 2)]! >> ((index & 3) * 2)) & 3
      if (code === 0) value = (value + common) | 0
      else {
        const width = code === 3 ? 4 : code
        if (at + width > coded.length) throw new Error('Compressed integers are cut off.')
        if (code === 1) value = (value + ((coded[at]! << 24) >> 24)) | 0
        else if (code === 2) value = (value + (((coded[at + 1]! << 24) >> 16) | coded[at]!)) | 0
        else value = (value + view.getInt32(at, true)) | 0
        at += width
      }
      block[i] = value
    }
    take(size === block.length ? block : block.subarray(0, size))
  }
}

/** Decodes the integers of `compressIntegers`. */
export function decompressIntegers(source: Uint8Array, count: number): Int32Array {
  // Each integer takes at least two bits, which limits their number.
  if (!(count <= source.length * largestRatio * 4)) throw new Error('Compressed integers are fewer than it says.')
  const values = new Int32Array(count)
  let at = 0
  eachBlock(source, count, (block) => {
    values.set(block, at)
    at += block.length
  })
  return values
}

/** Encoded integers do not store their size; a block never exceeds the largest form. */
function unpackUpTo(source: Uint8Array, least: number, most: number): Uint8Array {
  const possible = Math.min(most, source.length * largestRatio)
  if (!(possible >= least)) throw new Error('Compressed integers are fewer than it says.')
  const out = new Uint8Array(possible)
  const end = unpack(source, out)
  if (end < least) throw new Error('Compressed integers are cut off.')
  return out.subarray(0, end)
}
