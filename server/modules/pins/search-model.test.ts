// @module-tag long
import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'

const { WGS84 } = geodesic.Geodesic
let service: Service
let inDatabase: Awaited<ReturnType<typeof startSecondService>>
let client: pg.Client
beforeAll(async () => {
  service = await startService()
  inDatabase = await startSecondService(service, {
    CAIRN_PIN_INDEX_BYTES: '0',
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  })
  await service.app.pinIndex.whenLoaded()
  client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await inDatabase.stop()
  await service.stop()
})

const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(90, -90, 89.9999, -89.999, -86, 0, 10),
)
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(180, -180, 179.9999, -179.9999, 0, 20),
)
const point = fc.record({ latitude, longitude })
/** A random point on earth, or near the centre of the search (occasionally a duplicate). */
const where = fc.oneof(
  point,
  fc.record({
    azimuth: fc.constantFrom(0, 45, 90, 180, 270, 271.5),
    length: fc.oneof(fc.constantFrom(0, 10, 1000, 100_000), fc.double({ min: 0, max: 200_000, noNaN: true })),
  }),
)
const pin = fc.record({ where, contentType: fc.constantFrom('GLB', 'TEXT'), h: fc.constantFrom(null, -5, 0, 30, 1e6) })
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([w, a, e, b]) => [w, Math.min(a, b), e, Math.max(a, b)])
/** A box with two of the pins as corners, so that some are on its edges; across 180° if the first is east of the other. */
const ofTwo = fc.tuple(fc.nat(), fc.nat())
const asked = fc.record({
  radius: maybe(fc.constantFrom(0, 10, 1000, 100_000)),
  nearest: maybe(fc.integer({ min: 1, max: 30 })),
  bbox: maybe(fc.oneof(box, ofTwo)),
  minH: maybe(fc.constantFrom(-5, 0, 31)),
  contentType: maybe(fc.constantFrom('GLB', 'TEXT')),
  limit: maybe(fc.integer({ min: 1, max: 7 })),
})

type Placed = { id: number; latitude: number; longitude: number; contentType: string; h: number | null }
type Found = { id: number; distance: number }

/** Tolerance of a distance: near the antipode it is not exact. */
const slack = (metres: number) => (metres < 19_800_000 ? 1e-3 : metres / 50)
const meridian = (degrees: number) => (degrees === -180 ? 180 : degrees)
function isIn([west, south, east, north]: number[], { latitude, longitude }: Placed): boolean {
  if (latitude < south! || latitude > north!) return false
  return [longitude, ...(Math.abs(longitude) === 180 ? [-longitude] : [])].some((one) =>
    west! > east! ? one >= west! || one <= east! : one >= west! && one <= east!,
  )
}

function boxOf(chosen: number[] | undefined, pins: Placed[]): number[] | undefined {
  if (chosen?.length !== 2) return chosen
  const [one, other] = chosen.map((n) => pins[n % pins.length])
  if (!one || !other) return undefined
  const [south, north] = [one.latitude, other.latitude].sort((a, b) => a - b) as [number, number]
  return [one.longitude, south, other.longitude, north]
}

/** All pages of a response, by following `Link`. */
async function walk(ask: typeof service.anonymous.get, address: string, limit: number | undefined): Promise<Found[]> {
  const found: Found[] = []
  for (let next: string | undefined = address; next; ) {
    const { status, body, headers } = await ask(next)
    expect(status).toBe(200)
    if (limit) expect(body.pins.length).toBeLessThanOrEqual(limit)
    found.push(...body.pins)
    next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    if (next && limit) expect(body.pins).toHaveLength(limit)
  }
  return found
}

/** Both are rounded to a micrometre: between two values they may differ. */
const alike = (found: Found[]) =>
  found.map(({ distance, ...pin }) => ({ ...pin, distance: expect.closeTo(distance, 5) as number }))

test('all pages together are the result of measuring every pin', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      point,
      fc.array(pin, { maxLength: 40 }),
      asked,
      async (centre, pins, { bbox: chosen, ...rest }) => {
        await client.query('delete from pins')
        const placed: Placed[] = []
        for (const { where, contentType, h } of pins) {
          const end = 'azimuth' in where && WGS84.Direct(centre.latitude, centre.longitude, where.azimuth, where.length)
          const at =
            'azimuth' in where
              ? { latitude: (end as { lat2: number }).lat2, longitude: (end as { lon2: number }).lon2 }
              : where
          placed.push({ id: 0, ...at, contentType, h })
        }
        const { rows } = await client.query<{ id: string }>(
          `insert into pins (title, latitude, longitude, content_type, geo_pose)
         select 'p', t.latitude, t.longitude, type, case when h is not null then jsonb_build_object('position', jsonb_build_object('h', h)) end
           from unnest($1::float8[], $2::float8[], $3::text[], $4::float8[]) as t (latitude, longitude, type, h) returning id`,
          [
            placed.map((one) => one.latitude),
            placed.map((one) => one.longitude),
            placed.map((one) => one.contentType),
            placed.map((one) => one.h),
          ],
        )
        for (const [i, { id }] of rows.entries()) placed[i]!.id = Number(id)

        const query = { ...rest, bbox: boxOf(chosen, placed) }
        const parameters = new URLSearchParams({ lat: String(centre.latitude), lon: String(centre.longitude) })
        for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
        await service.app.pinIndex.caughtUp()
        const found = await walk(service.anonymous.get, `/api/location/pins?${parameters}`, query.limit)
        const foundBySql = await walk(inDatabase.as({}).get, `/api/location/pins?${parameters}`, query.limit)
        expect(foundBySql).toEqual(alike(found))

        const radius = query.radius ?? (query.nearest || query.bbox ? Number.POSITIVE_INFINITY : 1000)
        const wanted = placed
          .filter(
            (one) =>
              (!query.contentType || one.contentType === query.contentType) &&
              (query.minH === undefined || (one.h !== null && one.h >= query.minH)) &&
              (!query.bbox || isIn(query.bbox, one)),
          )
          .map((one) => ({
            id: one.id,
            metres: WGS84.Inverse(centre.latitude, meridian(centre.longitude), one.latitude, meridian(one.longitude))
              .s12!,
          }))
          .sort((a, b) => a.metres - b.metres)
        const surely = wanted.filter(({ metres }) => metres <= radius - 1e-5)
        const perhaps = wanted.filter(({ metres }) => metres <= radius + 1e-5)
        const most = query.nearest ?? Number.POSITIVE_INFINITY
        expect(found.length).toBeGreaterThanOrEqual(Math.min(surely.length, most))
        expect(found.length).toBeLessThanOrEqual(Math.min(perhaps.length, most))
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
        for (const [i, { id, distance }] of found.entries()) {
          const { metres } = perhaps.find((one) => one.id === id)!
          expect(Math.abs(distance - metres)).toBeLessThan(slack(metres))
          // No nearer pin is missing, and ties are ordered by ID.
          expect(distance - perhaps[i]!.metres).toBeLessThan(slack(metres))
          const before = found[i - 1]
          if (before) expect(before.distance < distance || (before.distance === distance && before.id < id)).toBe(true)
        }
      },
    ),
    { numRuns: Number(process.env.CAIRN_TEST_ROUNDS ?? 400) },
  )
})
