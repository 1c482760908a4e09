import { expect, test } from 'vitest'
import { COUNT_LIMIT, formatNumber, formatTotal, SEARCH_LIMIT } from '../../src/components/data/format.ts'

test('where the service stops counting, a total says that there may be more', () => {
  expect(formatTotal(999, SEARCH_LIMIT)).toBe('999')
  expect(formatTotal(1000, SEARCH_LIMIT)).toBe(`${formatNumber(1000)}+`)
  expect(formatTotal(1000, COUNT_LIMIT)).toBe(formatNumber(1000))
  expect(formatTotal(10_000, COUNT_LIMIT)).toBe(`${formatNumber(10_000)}+`)
  expect(formatTotal(10_000)).toBe(formatNumber(10_000))
})
