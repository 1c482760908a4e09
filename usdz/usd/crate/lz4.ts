const minMatch = 4
/** The format requires the last five bytes to be literals, and no match to begin in the last twelve. */
const lastLiterals = 5
const matchStartLimit = 12
const maxDistance = 65535
/** After 2^skipShift positions without a match the search takes longer steps, so that random data costs little time. */
const skipShift = 6

/**
 * Compresses data to one LZ4 block, greedily, with a hash of the next four bytes. Deterministic. Format:
 * lz4_Block_format.md of the LZ4 project.
 */
export function compressLz4(source: Uint8Array): Uint8Array {
  const out = new Uint8Array(source.length + Math.ceil(source.length / 255) + 16)
  const bits = source.length < 1 << 14 ? 10 : 16
  const table = new Int32Array(1 << bits) // position + 1, so that 0 means empty
  const searchEnd = source.length - matchStartLimit
  const matchEnd = source.length - lastLiterals
  let length = 0
  let literal = 0
  let at = 0
  let misses = 0
  while (at <= searchEnd) {
    const word = read32(source, at)
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - bits)
    const candidate = table[slot]! - 1
    table[slot] = at + 1
    if (candidate < 0 || at - candidate > maxDistance || read32(source, candidate) !== word) {
      at += 1 + (misses++ >> skipShift)
      continue
    }
    let end = at + minMatch
    for (let from = candidate + minMatch; end < matchEnd && source[from] === source[end]; from++) end++
    length = writeSequence(out, length, source, literal, at, end - at, at - candidate)
    at = end
    literal = end
    misses = 0
  }
  length = writeSequence(out, length, source, literal, source.length, 0, 0)
  return out.subarray(0, length)
}

/**
 * Writes the literals source[from, to) and a match (none when its length is 0).
 * @returns the new end of `out`.
 */
function writeSequence(
  out: Uint8Array,
  start: number,
  source: Uint8Array,
  from: number,
  to: number,
  matchLength: number,
  distance: number,
): number {
  const literals = to - from
  const extra = matchLength === 0 ? 0 : matchLength - minMatch
  out[start] = (Math.min(literals, 15) << 4) | Math.min(extra, 15)
  let end = writeLength(out, start + 1, literals)
  if (literals > 32) {
    out.set(source.subarray(from, to), end)
    end += literals
  } else {
    for (let i = from; i < to; i++) out[end++] = source[i]!
  }
  if (matchLength === 0) return end
  out[end++] = distance & 0xff
  out[end++] = distance >> 8
  return writeLength(out, end, extra)
}

/** Writes the part of a length that exceeds the token's four bits, in bytes of 255. */
function writeLength(out: Uint8Array, start: number, length: number): number {
  let end = start
  if (length < 15) return end
  let rest = length - 15
  for (; rest >= 255; rest -= 255) out[end++] = 255
  out[end++] = rest
  return end
}

const read32 = (bytes: Uint8Array, at: number) =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)

/**
 * Compresses data to the single-chunk form of crate files: a zero byte and an LZ4 block. USD splits only above 2 GB,
 * and some readers do not support several chunks.
 */
export function compressChunk(source: Uint8Array): Uint8Array {
  const block = compressLz4(source)
  const out = new Uint8Array(block.length + 1)
  out.set(block, 1)
  return out
}
