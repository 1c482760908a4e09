import { expect, test } from 'vitest'
import { COUNTED_UP_TO, figure, SEARCHED_UP_TO, totalFigure } from '../../src/components/data/format.ts'

test('where the service stops counting, a total says that there may be more', () => {
  expect(totalFigure(999, SEARCHED_UP_TO)).toBe('999')
  expect(totalFigure(1000, SEARCHED_UP_TO)).toBe(`${figure(1000)}+`)
  expect(totalFigure(1000, COUNTED_UP_TO)).toBe(figure(1000))
  expect(totalFigure(10_000, COUNTED_UP_TO)).toBe(`${figure(10_000)}+`)
  expect(totalFigure(10_000)).toBe(figure(10_000))
})
