import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { expect, test } from 'vitest'
import type { Boundary } from '../schema.ts'
import { outlineBytes, outlineOf } from './outline.ts'
import { isWithin } from './outline-distance.ts'

const { WGS84 } = geodesic.Geodesic
const metresBetween = (a: [number, number], b: [number, number]) =>
  (WGS84.Inverse(a[1], a[0], b[1], b[0]) as { s12: number }).s12

/** The least distance to many places of each side. */
function sampled(ring: [number, number][], point: [number, number]): number {
  const parts = 2000
  let least = Number.POSITIVE_INFINITY
  for (const [i, [ax, ay]] of ring.slice(0, -1).entries()) {
    const [bx, by] = ring[i + 1]!
    for (let k = 0; k <= parts; k++)
      least = Math.min(least, metresBetween(point, [ax + ((bx - ax) * k) / parts, ay + ((by - ay) * k) / parts]))
  }
  return least
}

const outlineOfRing = (ring: [number, number][]) =>
  outlineOf(outlineBytes({ type: 'Polygon', coordinates: [ring] } as Boundary))

test.each([
  ['in the middle latitudes', 48, 11],
  ['at the equator and 0°', 0, 0],
  ['near the north pole', 89.99, 40],
  ['near the south pole', -89.999, -120],
  ['at 180°', 10, 179.9999],
])('a place is within a distance of a zone if its nearest place is: %s', (_where, lat, lon) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 359 }),
      fc.integer({ min: 1, max: 20 }).map((size) => size / 10_000),
      (metres, azimuth, size) => {
        const [south, west] = [lat - size / 3, lon - size]
        const ring: [number, number][] = [
          [west, south],
          [Math.min(180, west + size), south],
          [Math.min(180, west + size), south + size / 2],
          [west, south + size / 2],
          [west, south],
        ]
        const start = WGS84.Direct(south, west, azimuth, metres) as { lat2: number; lon2: number }
        const outline = outlineOfRing(ring)
        if (isWithin(outline, start.lat2, start.lon2, 0)) return
        const distance = sampled(ring, [start.lon2, start.lat2])
        expect(isWithin(outline, start.lat2, start.lon2, distance + 0.01)).toBe(true)
        expect(isWithin(outline, start.lat2, start.lon2, Math.max(0, distance - 0.2))).toBe(false)
      },
    ),
    { numRuns: 30 },
  )
})

test('the nearest place of a long side is not one of its ends', () => {
  const ring: [number, number][] = [
    [11, 48],
    [11.1, 48],
    [11.1, 48.1],
    [11, 48],
  ]
  expect(isWithin(outlineOfRing(ring), 47.999, 11.05, 110)).toBe(false)
  expect(isWithin(outlineOfRing(ring), 47.999, 11.05, 112)).toBe(true)
})

test('a place in a hole is outside, as far as the nearest side of the hole', () => {
  const square = (half: number): [number, number][] => [
    [11 - half, 48 - half],
    [11 + half, 48 - half],
    [11 + half, 48 + half],
    [11 - half, 48 + half],
    [11 - half, 48 - half],
  ]
  const hole = square(0.001)
  const yard = outlineOf(outlineBytes({ type: 'Polygon', coordinates: [square(0.01), hole] } as Boundary))
  const offset = fc.integer({ min: -900, max: 900 }).map((millionths) => millionths / 1e6)
  fc.assert(
    fc.property(offset, offset, (east, north) => {
      const [lon, lat] = [11 + east, 48 + north]
      const metres = sampled(hole, [lon, lat])
      expect(isWithin(yard, lat, lon, metres - 0.1)).toBe(false)
      expect(isWithin(yard, lat, lon, metres + 0.1)).toBe(true)
    }),
    { numRuns: 30 },
  )
})
