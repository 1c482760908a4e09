/**
 * Unpacks an LZ4 block as crate files hold it: a byte with the number of chunks, 0 for one that has no length before it.
 * @throws Error when the data does not unpack to exactly `size` bytes.
 */
export function decompressChunks(source: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size)
  const chunks = source[0] ?? 0
  let end = 0
  if (chunks === 0) {
    end = decompressBlock(source.subarray(1), out, 0)
  } else {
    const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
    for (let at = 1, i = 0; i < chunks; i++) {
      const length = view.getInt32(at, true)
      end = decompressBlock(source.subarray(at + 4, at + 4 + length), out, end)
      at += 4 + length
    }
  }
  if (end !== size) throw new Error(`Compressed data has ${end} bytes instead of ${size}.`)
  return out
}

/** Format: lz4_Block_format.md of the LZ4 project. @returns the end of what was written. */
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
    out.set(source.subarray(at, at + literals), end)
    at += literals
    end += literals
    if (at >= source.length) break
    const distance = source[at]! | ((source[at + 1] ?? 0) << 8)
    at += 2
    const matched = length(token & 15) + 4
    if (distance === 0 || distance > end - start || end + matched > out.length) {
      throw new Error('Compressed data is damaged.')
    }
    // Byte after byte: a match may reach into what it is just writing.
    for (let i = 0; i < matched; i++, end++) out[end] = out[end - distance]!
  }
  return end
}

/** The integers `compressIntegers` coded. */
export function decompressIntegers(source: Uint8Array, count: number): Int32Array {
  const codes = 4
  const differences = codes + Math.ceil(count / 4)
  const coded = decompressUpTo(source, differences + count * 4)
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength)
  const common = view.getInt32(0, true)
  const values = new Int32Array(count)
  let at = differences
  let value = 0
  for (let i = 0; i < count; i++) {
    const code = (coded[codes + (i >> 2)]! >> ((i & 3) * 2)) & 3
    let difference = common
    if (code === 1) difference = view.getInt8(at)
    else if (code === 2) difference = view.getInt16(at, true)
    else if (code === 3) difference = view.getInt32(at, true)
    at += code === 3 ? 4 : code
    value = (value + difference) | 0
    values[i] = value
  }
  return values
}

/** Coded integers say nothing of their size; a block never unpacks to more than their largest form. */
function decompressUpTo(source: Uint8Array, most: number): Uint8Array {
  if (source[0] !== 0) throw new Error('Compressed integers in several chunks are not read.')
  const out = new Uint8Array(most)
  return out.subarray(0, decompressBlock(source.subarray(1), out, 0))
}
