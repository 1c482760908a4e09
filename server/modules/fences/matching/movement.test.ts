import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { expect, test } from 'vitest'
import { expectedEvents, geodesicMetres, type OracleFence } from '../../../test/fences/fence-oracle.ts'
import type { Place } from '../../../test/fences/fence-world.ts'
import { type FenceRow, fenceSet } from './fence-set.ts'
import type { Fix } from './fix.ts'
import { advance, type Movement } from './movement.ts'

const { WGS84 } = geodesic.Geodesic

const NONE = new Set<Fix>()
const NOTHING: Movement = { last: undefined, plausible: undefined, stays: [] }

/** Places where degrees are short, change sign, or meet. */
const CENTRES = [
  { lat: 48, lon: 11 },
  { lat: 0, lon: 180 },
  { lat: 89.9995, lon: 0 },
  { lat: -90, lon: 0 },
]

const circle = (
  id: string,
  latitude: number,
  longitude: number,
  radius: number,
  others: Partial<FenceRow> = {},
): FenceRow => ({
  ...{ id, name: id, zoneId: null, pinId: 1, radius, latitude, longitude },
  ...{ maxAccuracy: 100, dwellSeconds: null, checkIn: null },
  ...others,
})

const place = (centre: { lat: number; lon: number }, azimuth: number, far: number) => {
  const { lat2, lon2 } = WGS84.Direct(centre.lat, centre.lon, azimuth, far) as { lat2: number; lon2: number }
  return { lat: Math.max(-90, Math.min(90, lat2)), lon: lon2 }
}

/** Evenly distributed: doubles of fast-check are mostly tiny. */
const upTo = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((hundredths) => hundredths / 100)
const azimuth = upTo(360)
const scene = fc.record({
  centre: fc.constantFrom(...CENTRES),
  fences: fc.array(fc.tuple(azimuth, upTo(200), fc.integer({ min: 5, max: 150 })), {
    minLength: 1,
    maxLength: 6,
  }),
  walk: fc.array(
    fc.record({
      azimuth,
      far: upTo(300),
      accuracy: fc.integer({ min: 3, max: 300 }),
      after: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 60 },
  ),
})

const oracleOf = (row: FenceRow): OracleFence => {
  const metresOutside = (place: Place) =>
    geodesicMetres(place, { lat: row.latitude!, lon: row.longitude! }) - row.radius!
  const { id, maxAccuracy } = row
  return { id, maxAccuracy, dwellSeconds: row.dwellSeconds!, isInside: (at) => metresOutside(at) <= 0, metresOutside }
}

function sceneOf({
  centre,
  fences,
  walk,
}: {
  centre: { lat: number; lon: number }
  fences: [number, number, number][]
  walk: { azimuth: number; far: number; accuracy: number; after: number }[]
}) {
  const rows = fences.map(([direction, far, radius], i) => {
    const { lat, lon } = place(centre, direction, far)
    return circle(`fence ${i}`, lat, lon, radius, { dwellSeconds: 90 })
  })
  let at = 1_700_000_000_000
  const fixes = walk.map(({ azimuth: direction, far, accuracy, after }): Fix => {
    at += after * 1000
    return { ...place(centre, direction, far), accuracy, at }
  })
  return { rows, fixes, set: fenceSet(1, rows, new Map()) }
}

test('fixes in order report what counting by geodesics would, however they are divided into requests', () => {
  fc.assert(
    fc.property(scene, fc.integer({ min: 1, max: 60 }), (given, piece) => {
      const { rows, fixes, set } = sceneOf(given)
      const told: string[] = []
      let movement = NOTHING
      for (let from = 0; from < fixes.length; from += piece) {
        const next = advance(movement, fixes.slice(from, from + piece), { set, now: 0, shared: NONE })
        told.push(...next.events.map(({ type, fence, at }) => `${at} ${type} ${fence.id}`))
        movement = next.movement
      }
      expect(told.toSorted()).toEqual(expectedEvents(rows.map(oracleOf), fixes))
    }),
    { numRuns: 300 },
  )
})

test('late and repeated fixes never report a stay twice, and enter and exit take turns', () => {
  fc.assert(
    fc.property(scene, fc.array(fc.nat({ max: 59 }), { minLength: 60, maxLength: 120 }), (given, order) => {
      const { fixes, set } = sceneOf(given)
      const stays = new Map<string, [number, number][]>()
      let movement = NOTHING
      for (const i of order) {
        const fix = fixes[i % fixes.length]!
        const { events, movement: next } = advance(movement, [fix], { set, now: 0, shared: NONE })
        movement = next
        for (const { type, fence, at } of events) {
          const own = stays.get(fence.id) ?? []
          stays.set(fence.id, own)
          if (type === 'enter') {
            for (const [from, to] of own) expect(at < from || at > to).toBe(true)
            own.push([at, Number.POSITIVE_INFINITY])
          } else if (type === 'exit') own.find(([, to]) => to === Number.POSITIVE_INFINITY)![1] = at
        }
      }
    }),
    { numRuns: 300 },
  )
})
