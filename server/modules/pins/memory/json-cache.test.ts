import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonCache } from './json-cache.ts'

const MEBIBYTE = 2 ** 20
const textOf = (slot: number, turn: number, length: number) => Buffer.from(`${slot}:${turn}:`.padEnd(length, 'x'))

test('stores a text unchanged or not at all, within its memory', { tags: ['long'] }, () => {
  const step = fc.record({
    slot: fc.integer({ min: 0, max: 400 }),
    length: fc.integer({ min: 20, max: 120_000 }),
    next: fc.constantFrom('read', 'forget', 'nothing'),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 400 }), (steps) => {
      const kept = jsonCache(4 * MEBIBYTE)
      const written = new Map<number, Buffer>()
      for (const [turn, { slot, length, next }] of steps.entries()) {
        const text = textOf(slot, turn, length)
        kept.put(slot, text)
        written.set(slot, text)
        expect(kept.has(slot)).toBe(true)
        if (next === 'forget') kept.evict(slot)
        if (next === 'forget') expect(kept.has(slot)).toBe(false)
        if (next !== 'read') continue
        for (const one of written.keys()) {
          if (!kept.has(one)) continue
          expect(kept.view(one).equals(written.get(one)!)).toBe(true)
          kept.touch(one)
        }
      }
      expect(kept.bytes).toBeLessThan(4 * MEBIBYTE + 16_384)
    }),
    { numRuns: 20 },
  )
})

test('keeps texts that are read and evicts others', () => {
  const kept = jsonCache(4 * MEBIBYTE)
  kept.put(0, textOf(0, 0, 1000))
  kept.put(1, textOf(1, 0, 1000))
  for (let slot = 2; slot < 20_000; slot++) {
    kept.put(slot, textOf(slot, 0, 1000))
    kept.touch(0)
  }
  expect([kept.has(0), kept.has(1), kept.has(19_999)]).toEqual([true, false, true])
})

test('stores nothing without memory, and no text so large that it would evict all others', () => {
  const none = jsonCache(0)
  none.put(1, textOf(1, 0, 10))
  const little = jsonCache(4 * MEBIBYTE)
  little.put(1, textOf(1, 0, MEBIBYTE / 4))
  expect([none.has(1), little.has(1)]).toEqual([false, false])
})
