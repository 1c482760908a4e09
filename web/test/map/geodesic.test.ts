import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUtm, toUtm, utmZone } from '../../src/map/base-map/utm.ts'
import { distanceOf, placeFrom, roughDistanceOf } from '../../src/map/geodesic.ts'
import { isWithin } from '../../src/pages/map/layers/spots.ts'

type Geodesic = {
  WGS84: {
    Inverse: (lat1: number, lon1: number, lat2: number, lon2: number) => { s12: number }
    Direct: (lat: number, lon: number, azimuth: number, metres: number) => { lat2: number; lon2: number }
  }
}
const { WGS84 } = (createRequire(import.meta.url)('geographiclib-geodesic') as { Geodesic: Geodesic }).Geodesic
const place = fc.record({
  lat: fc.double({ min: -80, max: 80, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('distances and the circle of a search are those of the geodesic library, to a tenth of a millimetre up to 100 km', () => {
  const step = fc.tuple(fc.double({ min: 0, max: 360, noNaN: true }), fc.double({ min: 0, max: 100_000, noNaN: true }))
  fc.assert(
    fc.property(place, step, (from, [bearing, metres]) => {
      const { lat2: lat, lon2: lon } = WGS84.Direct(from.lat, from.lon, bearing, metres)
      expect(Math.abs(distanceOf(from, { lat, lon }) - metres)).toBeLessThan(0.0001)
      const there = placeFrom(from, bearing, metres)
      expect(WGS84.Inverse(lat, lon, there.lat, there.lon).s12).toBeLessThan(0.0001)
    }),
  )
})

test('the grid is UTM: a known point has its coordinates, and the inverse returns the starting point', () => {
  // A survey mark in Kiel harbour, by proj4, in zone 32.
  const { east, north } = toUtm(32, 54.323917, 10.139402)
  expect([east.toFixed(2), north.toFixed(2)]).toEqual(['574104.71', '6020160.38'])
  fc.assert(
    fc.property(place, ({ lat, lon }) => {
      const zone = utmZone(lon)
      const at = toUtm(zone, lat, lon)
      const [backLon, backLat] = fromUtm(zone, at.east, at.north)
      expect(WGS84.Inverse(lat, lon, backLat, backLon).s12).toBeLessThan(0.002)
    }),
  )
})

test('the quick distance is off by 0.6 % at most, and what is within a radius is so by the exact one, at its edge too', () => {
  fc.assert(
    fc.property(place, place, (from, to) => {
      const exact = WGS84.Inverse(from.lat, from.lon, to.lat, to.lon).s12
      expect(Math.abs(roughDistanceOf(from, to) - exact)).toBeLessThanOrEqual(exact * 0.006 + 1e-6)
    }),
  )
  const off = fc.double({ min: 0.97, max: 1.03, noNaN: true })
  const metres = fc.double({ min: 1, max: 100_000, noNaN: true })
  const bearing = fc.double({ min: 0, max: 360, noNaN: true })
  fc.assert(
    fc.property(place, bearing, metres, off, (from, bearing, metres, off) => {
      const to = placeFrom(from, bearing, metres * off)
      const spot = { kind: 'pin', id: '1', title: '', content: null, tag: null, ...to } as const
      expect(isWithin(spot, from, metres)).toBe(distanceOf(from, to) <= metres)
    }),
  )
})
