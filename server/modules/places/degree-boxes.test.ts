import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { expect, test } from 'vitest'
import { degreeBox } from './degree-boxes.ts'

const { WGS84 } = geodesic.Geodesic

test('the box has every place within the radius, in any direction', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -85, max: 85, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.oneof(fc.constantFrom(0, 0.001, 10, 1e6), fc.double({ min: 0, max: 2e6, noNaN: true })),
      fc.oneof(fc.constantFrom(0, 90, 180, 270), fc.double({ min: 0, max: 360, noNaN: true })),
      fc.constantFrom(0.5, 1),
      (latitude, longitude, metres, azimuth, part) => {
        const box = degreeBox(latitude, longitude, metres)
        if (!box) return
        const { lat2, lon2 } = WGS84.Direct(latitude, longitude, azimuth, metres * part) as {
          lat2: number
          lon2: number
        }
        expect(lat2).toBeGreaterThanOrEqual(box.south)
        expect(lat2).toBeLessThanOrEqual(box.north)
        expect(lon2).toBeGreaterThanOrEqual(box.west)
        expect(lon2).toBeLessThanOrEqual(box.east)
      },
    ),
    { numRuns: 5000 },
  )
})

test('there is no box across 180° or at a pole; otherwise it is hardly larger than necessary', () => {
  expect(degreeBox(0, 179.9999, 100)).toBeUndefined()
  expect(degreeBox(0, -180, 0)).toBeUndefined()
  expect(degreeBox(84.9999, 0, 100)).toBeUndefined()
  const { west, south, east, north } = degreeBox(60, 10, 1000)!
  const width = (WGS84.Inverse(60, west, 60, east) as { s12: number }).s12
  const height = (WGS84.Inverse(south, 10, north, 10) as { s12: number }).s12
  expect(width).toBeLessThan(2020)
  expect(height).toBeLessThan(2020)
})
