import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Boundary } from '../schema.ts'
import { isInside, outlineBytes, outlineOf, SIDES_A_BLOCK } from './outline.ts'
import { type Point, sideOf } from './rings.ts'

const star = fc
  .record({
    x: fc.integer({ min: 0, max: 24 }),
    y: fc.integer({ min: 0, max: 24 }),
    radii: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 2 * SIDES_A_BLOCK }),
  })
  .map(({ x, y, radii }): Point[] => {
    const ring = radii.map((radius, i): Point => {
      const angle = (2 * Math.PI * i) / radii.length
      return [Math.round(x + radius * Math.cos(angle)), Math.round(y + radius * Math.sin(angle))]
    })
    return [...ring, ring[0]!]
  })

test('a point is inside if an odd number of rings holds it, wherever blocks of sides begin and end', () => {
  fc.assert(
    fc.property(fc.array(star, { minLength: 1, maxLength: 12 }), (rings) => {
      const outline = outlineOf(outlineBytes({ type: 'Polygon', coordinates: rings } as Boundary))
      for (let x = -9; x <= 33; x += 1.5)
        for (let y = -9; y <= 33; y += 1.5) {
          const sides = rings.map((ring) => sideOf([x, y], ring))
          // On a line of several rings, or of one that runs through itself, which boundaries never do.
          if (sides.includes(0)) continue
          const isOdd = sides.filter((side) => side === 1).length % 2 === 1
          expect([x, y, isInside(outline, y, x)]).toEqual([x, y, isOdd])
        }
    }),
    { numRuns: 40 },
  )
})
