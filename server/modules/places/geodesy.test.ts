import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { describe, expect, test } from 'vitest'
import { CHORD_MARGIN_METRES, distance, distanceFrom, type Position, toEcef } from './geodesy.ts'

const { Geodesic } = geodesic
const trueDistance = (a: Position, b: Position): number =>
  Geodesic.WGS84.Inverse(a.latitude, a.longitude, b.latitude, b.longitude).s12!
const chord = (a: Position, b: Position) => {
  const [p, q] = [toEcef(a.latitude, a.longitude), toEcef(b.latitude, b.longitude)]
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** A random point, with poles and the antimeridian more often than by chance. */
const position = fc.record({
  latitude: fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.constantFrom(90, -90, 0, 89.9999, -89.999999, 85.06),
  ),
  longitude: fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.constantFrom(180, -180, 0, 179.99999, -179.99999),
  ),
})
const metres = fc.oneof(
  fc.double({ min: 0, max: 100_000, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 100_000, 1e-3),
)
const azimuth = fc.double({ min: 0, max: 360, noNaN: true })

function walk(from: Position, direction: number, length: number): Position {
  const end = Geodesic.WGS84.Direct(from.latitude, from.longitude, direction, length)
  return { latitude: end.lat2!, longitude: end.lon2! }
}

describe('distance on WGS84', () => {
  test('is the geodesic to a hundredth of a millimetre within 100 km, anywhere', () => {
    fc.assert(
      fc.property(position, azimuth, metres, (a, direction, length) => {
        const b = walk(a, direction, length)
        expect(Math.abs(distance(a, b) - trueDistance(a, b))).toBeLessThan(1e-5)
      }),
      { numRuns: 20_000 },
    )
  })

  test('of a point to itself is 0, however its meridian is written', () => {
    fc.assert(
      fc.property(position, (a) => {
        expect(distance(a, { ...a })).toBe(0)
      }),
    )
    expect(distance({ latitude: 12, longitude: 180 }, { latitude: 12, longitude: -180 })).toBe(0)
    expect(distance({ latitude: 90, longitude: 10 }, { latitude: 90, longitude: -120 })).toBe(0)
  })

  test('is symmetric, and the same from a prepared point', () => {
    fc.assert(
      fc.property(position, azimuth, metres, (a, direction, length) => {
        const b = walk(a, direction, length)
        expect(Math.abs(distance(a, b) - distance(b, a))).toBeLessThanOrEqual(2e-6)
        expect(distanceFrom(toEcef(a.latitude, a.longitude), b)).toBe(distance(a, b))
      }),
    )
  })

  test('is never less than the chord by more than the margin for candidates', () => {
    fc.assert(
      fc.property(position, azimuth, metres, (a, direction, length) => {
        const b = walk(a, direction, length)
        expect(chord(a, b)).toBeLessThan(trueDistance(a, b) + CHORD_MARGIN_METRES / 2)
      }),
    )
  })

  test('includes heights in ECEF: a metre up is a metre away', () => {
    expect(toEcef(0, 0, 1)[0] - toEcef(0, 0)[0]).toBeCloseTo(1, 8)
    expect(toEcef(90, 0)[2]).toBeCloseTo(6_356_752.3142, 4)
  })
})
