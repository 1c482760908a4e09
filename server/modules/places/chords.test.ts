import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { describe, expect, test } from 'vitest'
import { greatestChord, minChord } from './chords.ts'
import { type EarthBox, earthBox } from './earth-box.ts'
import { type Ecef, toEcef } from './geodesy.ts'

const { WGS84 } = geodesic.Geodesic
const latitude = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(90, -90, 0))
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(180, -180, 0, 90, -90, 179.9999),
)
const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1))

const isIn = ({ low, high }: EarthBox, point: Ecef) =>
  point.every((figure, axis) => low[axis]! <= figure && figure <= high[axis]!)

describe('boxes in space', () => {
  test('of a box in degrees include all of it, also across 180° and at the poles', () => {
    fc.assert(
      fc.property(latitude, latitude, longitude, longitude, share, share, (a, b, west, east, up, along) => {
        const [south, north] = [Math.min(a, b), Math.max(a, b)]
        const width = west > east ? east + 360 - west : east - west
        const lon = west + along * width
        const point = toEcef(south + up * (north - south), lon > 180 ? lon - 360 : lon)
        expect(isIn(earthBox(west, south, west + width, north), point)).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })

  test('of a small box are small', () => {
    const { low, high } = earthBox(13.3, 52.4, 13.31, 52.41)
    for (const axis of [0, 1, 2] as const) expect(high[axis]! - low[axis]!).toBeLessThan(2000)
  })
})

test('no two places have a shorter or a longer chord than their distance allows', () => {
  fc.assert(
    fc.property(latitude, longitude, latitude, longitude, share, (lat1, lon1, lat2, lon2, part) => {
      const { s12, azi1 } = WGS84.Inverse(lat1, lon1, lat2, lon2)
      const end = WGS84.Direct(lat1, lon1, azi1!, s12! * part)
      const [p, q] = [toEcef(lat1, lon1), toEcef(end.lat2!, end.lon2!)]
      const chord = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
      expect(chord).toBeGreaterThanOrEqual(minChord(s12! * part))
      expect(chord).toBeLessThanOrEqual(greatestChord(s12! * part))
    }),
    { numRuns: 20_000 },
  )
})
