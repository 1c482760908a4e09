import { joined, utf8 } from '../../bytes.ts'
import { bytesOf } from './byte-parts.ts'
import { sizedIntegers } from './integers.ts'

/** The largest lookup table; larger ones save little and are slow. Source: OpenUSD crateFile.cpp, 1024 at most. */
const largestTable = 1024

/**
 * Compresses floats as in crate files: as integers ("i") or as indices into a table of distinct values ("t"). Source:
 * OpenUSD pxr/usd/sdf/crateFile.cpp, _WritePossiblyCompressedArray.
 * @returns undefined where neither is smaller than the original.
 */
export function compressFloats(values: Float32Array): Uint8Array | undefined {
  const coded = wholeNumbers(values) ?? tableOf(values)
  return coded && coded.length < values.byteLength ? coded : undefined
}

function wholeNumbers(values: Float32Array): Uint8Array | undefined {
  for (const value of values) {
    // Minus zero cannot be stored as an integer.
    if ((value | 0) !== value || Object.is(value, -0)) return undefined
  }
  return coded('i', sizedIntegers(Int32Array.from(values)))
}

function tableOf(values: Float32Array): Uint8Array | undefined {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const places = new Map<number, number>()
  const most = Math.min(largestTable, values.length / 4)
  const indices = new Int32Array(values.length)
  for (let i = 0; i < bits.length; i++) {
    const pattern = bits[i]!
    let place = places.get(pattern)
    if (place === undefined) {
      place = places.size
      if (place >= most) return undefined
      places.set(pattern, place)
    }
    indices[i] = place
  }
  const table = Uint32Array.from(places.keys())
  return coded('t', bytesOf(Uint32Array.of(table.length)), bytesOf(table), sizedIntegers(indices))
}

const coded = (code: string, ...parts: Uint8Array[]): Uint8Array => joined([utf8(code), ...parts])
