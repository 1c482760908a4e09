import { expect, test } from 'vitest'
import { labelPointOf } from '../../src/pages/map/layers/label-point.ts'

const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

test('the name of a zone is in the centroid of its largest area, whichever way its corners go round', () => {
  for (const ring of [box(10, 50, 14, 52), box(10, 50, 14, 52).toReversed()]) {
    const [x, y] = labelPointOf({ type: 'MultiPolygon', coordinates: [[box(0, 0, 1, 1)], [ring]] })
    expect(x).toBeCloseTo(12, 9)
    expect(y).toBeCloseTo(51, 9)
  }
})

test('if the centroid is outside the zone, the name is within it, at the latitude of the centroid', () => {
  // A U that opens to the north.
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [7, 10],
    [7, 1],
    [2, 1],
    [2, 10],
    [0, 10],
    [0, 0],
  ]
  const [x, y] = labelPointOf({ type: 'Polygon', coordinates: [ring] })
  expect(x).toBeCloseTo(8.5, 9)
  expect(y).toBeGreaterThan(1)
})

test('if the centroid is in a hole, the name is beside the hole', () => {
  const [x, y] = labelPointOf({ type: 'Polygon', coordinates: [box(0, 0, 10, 10), box(3, 3, 9, 9)] })
  expect([x, y]).toEqual([1.5, 5])
})

test('an area without extent has its name at its first corner', () => {
  expect(labelPointOf({ type: 'Polygon', coordinates: [box(3, 4, 3, 4)] })).toEqual([3, 4])
})
