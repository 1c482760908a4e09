// @module-tag long
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedEvents, metresToSides, type OracleFence, type OracleSide } from '../../../test/fences/fence-oracle.ts'
import { away, type Place } from '../../../test/fences/fence-world.ts'
import { shapeFault } from '../../zones/boundary/boundary-faults.ts'
import { outlineBytes, outlineOf } from '../../zones/boundary/outline.ts'
import type { Boundary } from '../../zones/schema.ts'
import { fenceSet } from './fence-set.ts'
import type { Fix } from './fix.ts'
import { advance, type Movement } from './movement.ts'

type Point = [longitude: number, latitude: number]
type Ring = Point[]
/** A zone: its boundary as it is stored, and the rings that it is made of, with longitudes that go on beyond 180°. */
type Scene = { centre: Place; boundary: Boundary; rings: Ring[] }

const START = 1_700_000_000_000
const upTo = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((hundredths) => hundredths / 100)
const closed = (ring: Ring): Ring => [...ring, ring[0]!]
const turned = (longitude: number, beside: number) => longitude + 360 * Math.round((beside - longitude) / 360)

/** Turns all corners, so that none is on 180° itself. */
const TURN = 7

/** Corners around a place, each some metres away, in the order of their directions. */
const corners = (centre: Place, far: number[], from: Place = centre): Ring =>
  far.map((metres, i) => {
    const { lat, lon } = away(from, metres, TURN + (360 * i) / far.length)
    return [turned(lon, centre.lon), lat]
  })

/** The part of a convex ring on one side of 180°. */
function half(ring: Ring, isKept: (longitude: number) => boolean): Ring {
  const kept: Ring = []
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length]!
    if (isKept(a[0])) kept.push(a)
    if (isKept(a[0]) !== isKept(b[0])) kept.push([180, a[1] + ((180 - a[0]) / (b[0] - a[0])) * (b[1] - a[1])])
  }
  return kept
}

const star = fc.array(
  upTo(150).map((metres) => 60 + metres),
  { minLength: 4, maxLength: 9 },
)
/** Smaller than the star around it. */
const hole = fc.array(
  upTo(15).map((metres) => 10 + metres),
  { minLength: 3, maxLength: 6 },
)

const inTheMiddle = fc
  .record({ lat: fc.constantFrom(48, 0, -33.9, 78), lon: fc.constantFrom(11, 0, -70), star, hole })
  .map(({ lat, lon, star, hole }): Scene => {
    const centre = { lat, lon }
    const rings = [closed(corners(centre, star)), closed(corners(centre, hole))]
    return { centre, rings, boundary: { type: 'Polygon', coordinates: rings } as Boundary }
  })

/** A convex zone, cut at 180° as RFC 7946 asks, with a hole in its western part. */
const across180 = fc
  .record({ lat: fc.constantFrom(0, -17, 65), radius: upTo(100), count: fc.integer({ min: 5, max: 12 }), hole })
  .map(({ lat, radius, count, hole }): Scene => {
    const centre = { lat, lon: 180 }
    const ring = corners(centre, Array(count).fill(80 + radius))
    const yard = closed(corners(centre, hole, away(centre, 40, 270)))
    const east = half(ring, (longitude) => longitude >= 180).map(([x, y]): Point => [x - 360, y])
    const coordinates = [[closed(half(ring, (longitude) => longitude < 180)), yard], [closed(east)]]
    return {
      centre,
      rings: [closed(ring), yard],
      boundary: { type: 'MultiPolygon', coordinates } as Boundary,
    }
  })

/** A cap around a pole, with a hole between two meridians. */
const atPole = fc
  .record({ south: fc.boolean(), far: fc.array(upTo(150), { minLength: 8, maxLength: 8 }) })
  .map(({ south, far }): Scene => {
    const sign = south ? -1 : 1
    const latitude = (metres: number) => sign * (90 - metres / 111_694)
    const edge = [...far, far[0]!].map((metres, i): Point => [-180 + 45 * i, latitude(70 + metres)])
    const yard: Ring = [20, 80].flatMap((lon, i): Ring => [60, 30].map((m) => [lon, latitude(i ? 90 - m : m)]))
    const rings = [closed([[-180, sign * 90], ...edge, [180, sign * 90]]), closed(yard)]
    const boundary = { type: 'Polygon', coordinates: rings } as Boundary
    return { centre: { lat: sign * 90, lon: 0 }, rings, boundary }
  })

/** By the sum of the angles that the sides of all rings are seen under, with longitudes turned to those of the ring. */
function isInside(rings: Ring[], { lat, lon }: Place, centre: Place): boolean {
  // All meridians meet here, and only a zone around the pole is near it.
  if (Math.abs(lat) === 90) return true
  const x = Math.abs(centre.lat) === 90 ? lon : turned(lon, centre.lon)
  const inRing = (ring: Ring) => {
    let angle = 0
    for (const [[ax, ay], [bx, by]] of sidesOf(ring)) {
      const [ux, uy, vx, vy] = [ax - x, ay - lat, bx - x, by - lat]
      angle += Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)
    }
    return Math.abs(angle) > Math.PI
  }
  const [outer, ...holes] = rings.map(inRing)
  return outer! && !holes.some(Boolean)
}

const sidesOf = (ring: Ring): OracleSide[] => ring.slice(1).map((to, i) => [ring[i]!, to])

const fenceOf = ({ rings, centre }: Scene): OracleFence => ({
  ...{ id: 'zone', maxAccuracy: 300, dwellSeconds: 90 },
  isInside: (place) => isInside(rings, place, centre),
  metresOutside: (place) => metresToSides(rings.flatMap(sidesOf), place),
})

test.each([
  ['with a hole', inTheMiddle],
  ['across 180°', across180],
  ['around a pole', atPole],
])('walks at a random zone %s report what counting by geodesics would', async (_where, scenes) => {
  const walk = fc.array(
    fc.record({
      azimuth: upTo(360),
      far: upTo(300),
      accuracy: fc.integer({ min: 3, max: 300 }),
      after: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 20, maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(scenes, walk, async (scene, steps) => {
      expect(await shapeFault(scene.boundary)).toBeUndefined()
      const row = {
        ...{ id: 'zone', name: 'Park', zoneId: 1, pinId: null, radius: null, latitude: null },
        longitude: null,
      }
      const rules = { maxAccuracy: 300, dwellSeconds: 90, checkIn: null }
      const set = fenceSet(1, [{ ...row, ...rules }], new Map([[1, outlineOf(outlineBytes(scene.boundary))]]))
      let at = START
      const fixes = steps.map(({ azimuth, far, accuracy, after }): Fix => {
        at += after * 1000
        return { ...away(scene.centre, far, azimuth), accuracy, at }
      })
      let movement: Movement = { last: undefined, plausible: undefined, stays: [] }
      const reported: string[] = []
      for (const fix of fixes) {
        const next = advance(movement, [fix], { set, now: fix.at, shared: new Set() })
        reported.push(...next.events.map((event) => `${event.at} ${event.type} ${event.fence.id}`))
        movement = next.movement
      }
      expect(reported.toSorted()).toEqual(expectedEvents([fenceOf(scene)], fixes))
    }),
    { numRuns: 60 },
  )
})
