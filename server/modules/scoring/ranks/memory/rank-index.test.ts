import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockLimit, mergeBelow } from './rank-blocks.ts'
import { RankIndex } from './rank-index.ts'

/** Checks the invariants of the blocks; runs after every operation. */
function checkBlocks(index: RankIndex): number[] {
  const keys: number[] = []
  let smallBefore = false
  for (const block of index.inspect()) {
    expect(block.keys.length).toBeGreaterThan(0)
    expect(block.keys.length).toBeLessThanOrEqual(blockLimit)
    expect(block.before).toBe(keys.length)
    expect(block.last).toBe(block.keys.at(-1))
    for (const key of block.keys) {
      if (!(keys.length === 0 || keys.at(-1)! <= key) || Object.is(key, -0)) expect.fail(`${keys.at(-1)} before ${key}`)
      keys.push(key)
    }
    const small = block.keys.length < mergeBelow
    expect(small && smallBefore).toBe(false)
    smallBefore = small
  }
  return keys
}

/** A seeded random generator of numbers in 0..1 (mulberry32). */
function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const countAbove = (keys: number[], key: number) => keys.filter((k) => k > key).length
const someKey = fc.oneof(
  fc.integer({ min: -4, max: 4 }), // many ties
  fc.constantFrom(-0, 0, 0.5, -0.5, Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

describe('the rank index', () => {
  test('counts keys above a key correctly, with any additions, removals and owed keys', () => {
    const step = fc.record({ add: fc.boolean(), key: someKey })
    fc.assert(
      fc.property(
        fc.array(someKey, { maxLength: 40 }),
        fc.array(step, { maxLength: 120 }),
        someKey,
        (first, steps, probe) => {
          const index = RankIndex.fromSorted(Float64Array.from(first).sort())
          const sums = new Map<number, number>() // key → additions minus removals
          const count = (key: number, by: number) => sums.set(key + 0, (sums.get(key + 0) ?? 0) + by)
          for (const key of first) count(key, 1)
          for (const { add, key } of steps) {
            if (add) index.add(key)
            else index.remove(key)
            count(key, add ? 1 : -1)
            for (const at of [key, probe]) {
              let above = 0
              for (const [k, times] of sums) if (k > at) above += times
              expect(index.above(at)).toBe(Math.max(0, above))
            }
          }
          checkBlocks(index)
          const owed = [...sums.values()].filter((times) => times < 0)
          expect(index.owed).toBe(owed.reduce((sum, times) => sum - times, 0))
        },
      ),
    )
  })

  test('accepts the moves of a player in any order', () => {
    const path = fc.array(fc.option(someKey), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(path, fc.infiniteStream(fc.nat()), (bests, random) => {
        const moves = bests.map((to, i) => ({ from: i === 0 ? null : bests[i - 1]!, to }))
        const shuffled = moves.map((m) => ({ m, at: random.next().value as number })).sort((a, b) => a.at - b.at)
        const index = RankIndex.fromSorted()
        for (const { m } of shuffled) index.move(m.from, m.to)
        const rest = bests.at(-1)
        expect(index.owed).toBe(0)
        expect(checkBlocks(index)).toEqual(rest === null || rest === undefined ? [] : [rest + 0])
      }),
    )
  })

  test('keeps its invariants through long runs that grow, shrink and empty the board', () => {
    const random = seeded(20261121)
    const index = RankIndex.fromSorted()
    const keys: number[] = []
    const shapes = [
      () => Math.floor(random() * 50), // ties everywhere
      () => (random() - 0.5) * 1e6,
      () => -Math.floor(random() * 1e9) / 8,
    ]
    for (let step = 0; step < 120_000; step++) {
      const growing = Math.floor(step / 20_000) % 2 === 0
      if (keys.length > 0 && random() < (growing ? 0.25 : 0.78)) {
        const at = Math.floor(random() * keys.length)
        index.remove(keys[at]!)
        keys[at] = keys.at(-1)!
        keys.pop()
      } else {
        const key = shapes[step % 3]!()
        index.add(key)
        keys.push(key + 0)
      }
      if (step % 997 === 0) {
        expect(checkBlocks(index)).toEqual(keys.toSorted((a, b) => a - b))
        for (let i = 0; i < 10; i++) {
          const probe = i % 2 ? (keys[Math.floor(random() * keys.length)] ?? 0) : shapes[i % 3]!()
          expect(index.above(probe)).toBe(countAbove(keys, probe))
        }
      }
    }
    for (const key of keys) index.remove(key)
    expect({ size: index.size, owed: index.owed, blocks: checkBlocks(index) }).toEqual({ size: 0, owed: 0, blocks: [] })
  })

  test('loads many keys, and then keeps them all while one small region changes', () => {
    const random = seeded(7)
    const sorted = Float64Array.from({ length: 30_000 }, () => Math.floor(random() * 1e5)).sort()
    const index = RankIndex.fromSorted(sorted)
    const keys = [...sorted]
    expect(checkBlocks(index)).toEqual(keys)
    for (let i = 0; i < 12_000; i++) {
      const from = keys[i]!
      const to = 50_000 + (i % 10)
      index.move(from, to)
      keys[i] = to
      if (i % 997 === 0) expect(checkBlocks(index)).toEqual(keys.toSorted((a, b) => a - b))
    }
    const ascending = keys.toSorted((a, b) => a - b)
    for (const place of [0, 1, 17_000, 29_999]) expect(index.keyAt(place)).toBe(ascending.at(-1 - place))
    expect(index.keyAt(30_000)).toBeUndefined()
  })

  test('is the same whether built at once or in steps', async () => {
    const sorted = Float64Array.from({ length: 700_000 }, (_, i) => i >> 1)
    const [atOnce, inSteps] = [RankIndex.fromSorted(sorted), await RankIndex.fromSortedInTurns(sorted)]
    expect(inSteps.size).toBe(sorted.length)
    for (const key of [-1, 0, 174_999.5, 349_999]) expect(inSteps.above(key)).toBe(atOnce.above(key))
  })

  test('treats −0 as 0, and refuses values without a rank', () => {
    const index = RankIndex.fromSorted(Float64Array.of(-0))
    index.remove(0)
    index.add(-0)
    index.remove(-0)
    expect([index.size, index.owed]).toEqual([0, 0])
    for (const key of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => index.add(key)).toThrow(RangeError)
  })
})
