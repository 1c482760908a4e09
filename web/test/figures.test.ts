import { expect, test } from 'vitest'
import { figure, totalFigure } from '../src/parts/figures.ts'

test('where the service stops counting what a filter leaves, a total says that there may be more', () => {
  expect(totalFigure(999, true)).toBe('999')
  expect(totalFigure(1000, true)).toBe(`${figure(1000)}+`)
  expect(totalFigure(10_000, true)).toBe(`${figure(10_000)}+`)
  expect(totalFigure(10_000, false)).toBe(figure(10_000))
})
