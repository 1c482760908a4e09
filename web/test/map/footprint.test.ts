import { expect, test } from 'vitest'
import { distanceOf } from '../../src/map/geodesic.ts'
import { type Offset, ringOf } from '../../src/pages/map/models/footprint.ts'

test('a footprint is the closed hull of the corners, with sides in metres along the ellipsoid', () => {
  const corners: Offset[] = [2, -2].flatMap((east) => [1, -1].map((north): Offset => [east, north]))
  // Those of the upper side of a box, and one inside.
  const ring = ringOf({ lat: 54.3, lon: 10.1 }, [...corners, ...corners, [0.5, 0.5]])
  expect(ring).toHaveLength(5)
  expect(ring[0]).toEqual(ring[4])
  const places = ring.map(([lon, lat]) => ({ lat, lon }))
  const sides = places.slice(1).map((place, at) => distanceOf(places[at]!, place))
  for (const [at, metres] of sides.entries()) expect(metres).toBeCloseTo(at % 2 === 0 ? 4 : 2, 3)
})
