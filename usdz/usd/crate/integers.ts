import { compressChunk } from './lz4.ts'

/**
 * Compresses 32-bit integers as in crate files: differences between neighbours, the most common one in 0 bytes, the
 * others in 1, 2 or 4 bytes, selected by a two-bit code; then LZ4. Layout: the common difference (int32), the two-bit
 * codes from the low bits up, the differences. Source: OpenUSD pxr/usd/sdf/integerCoding.cpp.
 */
export function compressIntegers(values: Int32Array | Uint32Array): Uint8Array {
  return compressChunk(codeIntegers(values))
}

/** Compresses integers with a 64-bit length prefix, as used for arrays. */
export function sizedIntegers(values: Int32Array | Uint32Array): Uint8Array {
  const bytes = compressIntegers(values)
  const out = new Uint8Array(8 + bytes.length)
  new DataView(out.buffer).setBigUint64(0, BigInt(bytes.length), true)
  out.set(bytes, 8)
  return out
}

function codeIntegers(values: Int32Array | Uint32Array): Uint8Array {
  const { common, size } = plan(values)
  const codes = 4
  const differences = codes + Math.ceil(values.length / 4)
  const out = new Uint8Array(differences + size)
  const view = new DataView(out.buffer)
  view.setInt32(0, common, true)
  let at = differences
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const difference = (value - previous) | 0
    previous = value
    if (difference === common) continue
    let code = 3
    if (difference >= -128 && difference <= 127) {
      code = 1
      out[at] = difference
      at += 1
    } else if (difference >= -32768 && difference <= 32767) {
      code = 2
      view.setInt16(at, difference, true)
      at += 2
    } else {
      view.setInt32(at, difference, true)
      at += 4
    }
    out[codes + (i >> 2)]! |= code << ((i & 3) * 2)
  }
  return out
}

/**
 * Returns the most common difference and the size of all others in bytes. Only 16-bit differences are counted: larger
 * ones rarely repeat.
 */
function plan(values: Int32Array | Uint32Array): { common: number; size: number } {
  const counts = new Uint32Array(1 << 16)
  let large = 0
  let previous = 0
  let [least, most] = [32767, -32768]
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const difference = (value - previous) | 0
    previous = value
    if (difference >= -32768 && difference <= 32767) {
      counts[difference + 32768]!++
      if (difference < least) least = difference
      if (difference > most) most = difference
    } else large++
  }
  let common = 0
  let size = large * 4
  for (let difference = least; difference <= most; difference++) {
    const count = counts[difference + 32768]!
    size += count * (difference >= -128 && difference <= 127 ? 1 : 2)
    if (count > counts[common + 32768]!) common = difference
  }
  const saved = counts[common + 32768]! * (common >= -128 && common <= 127 ? 1 : 2)
  return { common, size: size - saved }
}
