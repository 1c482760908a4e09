import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowDedup } from './row-dedup.ts'

test('distinguishes all keys and returns the first row of each, however many there are', {
  tags: ['long'],
}, () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 3000 }), (keys) => {
      const seen = rowDedup()
      const model = new Map<string, number>()
      for (const [i, key] of keys.entries()) {
        expect(seen.earlier(key, i + 1)).toBe(model.get(key))
        if (!model.has(key)) model.set(key, i + 1)
      }
      expect(seen.size).toBe(model.size)
    }),
    { numRuns: 20 },
  )
  const seen = rowDedup()
  for (let row = 1; row <= 20_000; row++) expect(seen.earlier(`point ${row}`, row)).toBeUndefined()
  for (let row = 1; row <= 20_000; row++) expect(seen.earlier(`point ${row}`, 0)).toBe(row)
})
