import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decompressChunks, decompressIntegers } from '../../layers/decompress.ts'
import { compressIntegers } from './integers.ts'
import { compressChunk, compressLz4 } from './lz4.ts'

const unpack = (packed: Uint8Array, size: number) => decompressChunks(packed, size)

describe('LZ4 blocks', () => {
  test('unpack to the original', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(unpack(compressChunk(bytes), bytes.length)).toEqual(bytes)
      }),
    )
  })

  test('unpack to the original with many repetitions, near and far', () => {
    const runs = fc.array(
      fc.record({ value: fc.integer({ min: 0, max: 3 }), length: fc.integer({ min: 1, max: 900 }) }),
    )
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 70_000 }), (parts, repeat) => {
        const run = parts.flatMap(({ value, length }) => new Array<number>(length).fill(value))
        const bytes = Uint8Array.from([...run, ...new Array<number>(repeat % 70_000).fill(7), ...run])
        const packed = compressChunk(bytes)
        expect(Buffer.compare(unpack(packed, bytes.length), bytes)).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  test('end as the format requires: five literal bytes, and no match that starts in the last twelve', () => {
    for (let size = 0; size < 64; size++) {
      const block = compressLz4(new Uint8Array(size))
      const literalsAtTheEnd = lastLiterals(block)
      expect(literalsAtTheEnd).toBeGreaterThanOrEqual(Math.min(size, 5))
      if (size < 13) expect(block.length).toBe(size + 1)
    }
  })

  test('are smaller for repetitive data', () => {
    expect(compressLz4(new Uint8Array(1_000_000)).length).toBeLessThan(5000)
  })
})

describe('coded integers', () => {
  const arrays = fc.oneof(
    fc.array(fc.integer(), { maxLength: 300 }),
    fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 300 }),
    fc.array(fc.constantFrom(-2147483648, 2147483647, 0, -1, 1, 32767, -32769, 128, -129), { maxLength: 300 }),
  )

  test('decode to the original for any differences', () => {
    fc.assert(
      fc.property(arrays, (list) => {
        const values = Int32Array.from(list)
        expect(decompressIntegers(compressIntegers(values), values.length)).toEqual(values)
      }),
    )
  })

  test('are tiny for consecutive numbers', () => {
    const counting = Int32Array.from({ length: 100_000 }, (_, i) => i)
    expect(compressIntegers(counting).length).toBeLessThan(200)
  })
})

/** Parses the sequences of a block and counts the literals of the last. */
function lastLiterals(block: Uint8Array): number {
  let at = 0
  for (;;) {
    const token = block[at++]!
    let literals = token >> 4
    if (literals === 15) {
      let more = 255
      while (more === 255) {
        more = block[at++]!
        literals += more
      }
    }
    at += literals
    if (at >= block.length) return literals
    at += 2
    if ((token & 15) === 15) while (block[at++] === 255);
  }
}
