import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { expect, test } from 'vitest'
import { type FenceRow, fenceSet } from './fence-set.ts'
import { advance, type Fix, type Movement } from './movement.ts'

const { WGS84 } = geodesic.Geodesic
const metres = (a: { lat: number; lon: number }, b: FenceRow) =>
  (WGS84.Inverse(a.lat, a.lon, b.latitude!, b.longitude!) as { s12: number }).s12

const NOTHING: Movement = { last: undefined, stays: [] }

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

/** What the rules say for fixes in order, fence by fence, by geodesics of another library. */
function expected(rows: FenceRow[], fixes: Fix[]): string[] {
  const events: string[] = []
  const inside = new Map<string, number>()
  const dwelled = new Set<string>()
  for (const fix of fixes)
    for (const row of rows) {
      if (fix.accuracy > row.maxAccuracy) continue
      const outside = metres(fix, row) - row.radius!
      const since = inside.get(row.id)
      if (since === undefined && outside <= 0) {
        inside.set(row.id, fix.at)
        dwelled.delete(row.id)
        events.push(`${fix.at} enter ${row.id}`)
      } else if (since !== undefined && outside > fix.accuracy) {
        inside.delete(row.id)
        events.push(`${fix.at} exit ${row.id}`)
      } else if (since !== undefined && fix.at - since >= row.dwellSeconds! * 1000 && !dwelled.has(row.id)) {
        dwelled.add(row.id)
        events.push(`${since + row.dwellSeconds! * 1000} dwell ${row.id}`)
      }
    }
  return events.toSorted()
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
        const next = advance(movement, fixes.slice(from, from + piece), set, 0)
        told.push(...next.events.map(({ type, fence, at }) => `${at} ${type} ${fence.id}`))
        movement = next.movement
      }
      expect(told.toSorted()).toEqual(expected(rows, fixes))
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
        const { events, movement: next } = advance(movement, [fix], set, 0)
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
