import { expect, test } from 'vitest'
import { COUNT_LIMIT, formatMetres, formatNumber, formatTotal, SEARCH_LIMIT } from '../../src/components/data/format.ts'

test('where the service stops counting, a total says that there may be more', () => {
  expect(formatTotal(999, SEARCH_LIMIT)).toBe('999')
  expect(formatTotal(1000, SEARCH_LIMIT)).toBe(`${formatNumber(1000)}+`)
  expect(formatTotal(1000, COUNT_LIMIT)).toBe(formatNumber(1000))
  expect(formatTotal(10_000, COUNT_LIMIT)).toBe(`${formatNumber(10_000)}+`)
  expect(formatTotal(10_000)).toBe(formatNumber(10_000))
})

test('a distance is shown to the centimetre, and from 10 km on to 100 m', () => {
  const text = (n: number, digits: number) => n.toLocaleString(undefined, { minimumFractionDigits: digits })
  expect(formatMetres(9_999.994)).toBe(`${text(9_999.99, 2)} m`)
  expect(formatMetres(1_663_474.86)).toBe(`${text(1663.5, 1)} km`)
})
