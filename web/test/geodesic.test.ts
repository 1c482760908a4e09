import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceOf, placeFrom } from '../src/map/geodesic.ts'
import { fromUtm, toUtm, utmZone } from '../src/map/utm.ts'

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

test('the grid is UTM: a known point has its coordinates, and the way back ends where it began', () => {
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
