import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('a truncated text can be stored, and is a prefix of the text except for invalid characters', {
  tags: ['long'],
}, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
      const shown = truncate(text, max)
      expect(shown.isWellFormed() && !shown.includes('\0') && shown.length <= max).toBe(true)
      if (text.isWellFormed() && !text.includes('\0')) {
        expect(text.startsWith(shown)).toBe(true)
        expect(shown.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1)
      }
    }),
  )
  expect(truncate('a\0b\ud83d', 9)).toBe('ab')
})
