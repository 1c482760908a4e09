import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRange } from './range.ts'

test('every range of existing bytes is parsed as itself', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000), (start, length, rest) => {
      const size = start + length + rest + 1
      const range = { start, end: start + length }
      expect(parseRange(`bytes=${start}-${start + length}`, size)).toEqual(range)
      expect(parseRange(`bytes=${start}-`, size)).toEqual({ start, end: size - 1 })
      expect(parseRange(`bytes=-${length + 1}`, size)).toEqual({ start: size - length - 1, end: size - 1 })
    }),
  )
})

test('every range is within the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(100), (header, size) => {
      for (const asked of [header, `bytes=${header}`]) {
        const range = parseRange(asked, size)
        if (range === undefined || range === 'unsatisfiable') continue
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.end).toBeGreaterThanOrEqual(range.start)
        expect(range.end).toBeLessThan(size)
      }
    }),
  )
})

test('a range beyond the end or of length zero is unsatisfiable; an invalid one is ignored', () => {
  expect(parseRange('bytes=10-', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable')
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=1-2,4-5', 'bytes=a-b'])
    expect(parseRange(header, 10)).toBeUndefined()
})
