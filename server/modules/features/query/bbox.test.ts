import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

type Point = { id: number; latitude: number; longitude: number }

const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(90, -90, 0, 89.999999, -85.06, 1e-300),
)
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(180, -180, 0, 90, -90, 179.9999999, -179.9999999, -5e-324),
)

/** Whether a bounding box contains a point, walking from west to east. */
function holds([west, south, east, north]: number[], point: Point): boolean {
  if (point.latitude < south! || point.latitude > north!) return false
  if (east! - west! >= 360) return true
  const same = Math.abs(point.longitude) === 180 ? [180, -180] : [point.longitude]
  return same.some((at) => (west! <= east! ? at >= west! && at <= east! : at >= west! || at <= east!))
}

describe('a bbox', () => {
  let service: Service
  let points: Point[]
  beforeAll(async () => {
    service = await startService()
    const sample = fc.sample(fc.record({ latitude, longitude }), { numRuns: 600, seed: 5 })
    const db = new pg.Client({ connectionString: service.databaseUrl })
    await db.connect()
    await db.query(
      `insert into pins (title, content_type, latitude, longitude)
       select 'P', 'GLB', * from unnest($1::float8[], $2::float8[])`,
      [sample.map((point) => point.latitude), sample.map((point) => point.longitude)],
    )
    points = (await db.query('select id::int, latitude, longitude from pins order by id')).rows
    await db.end()
  })
  afterAll(() => service.stop())

  test('chooses what lies in it, at the poles and across 180° too, in pages of any size', {
    tags: ['long'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        longitude,
        latitude,
        longitude,
        latitude,
        fc.integer({ min: 50, max: 700 }),
        async (west, one, east, other, limit) => {
          const box = [west, Math.min(one, other), east, Math.max(one, other)]
          const found: number[] = []
          const expected = points.filter((point) => holds(box, point)).map(({ id }) => id)
          for (let next: string | undefined = `/ogc/collections/pins/items?limit=${limit}&bbox=${box}`; next; ) {
            const { status, body } = await service.anonymous.get(next)
            expect(status).toBe(200)
            expect(body.numberMatched).toBe(expected.length)
            found.push(...body.features.map(({ id }: { id: number }) => id))
            next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
          }
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('of a whole collection is in its description', async () => {
    const { body } = await service.anonymous.get('/ogc/collections/pins')
    const [lats, lons] = [points.map(({ latitude }) => latitude), points.map(({ longitude }) => longitude)]
    expect(body.extent.spatial.bbox).toEqual([
      [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)],
    ])
    const { body: empty } = await service.anonymous.get('/ogc/collections/gcps')
    expect(empty.extent.spatial.bbox).toEqual([[-180, -90, 180, 90]])
  })

  test('beyond 180° is what a map shows there', async () => {
    const ids = async (bbox: string) =>
      (await service.anonymous.get(`/ogc/collections/pins/items?limit=10000&bbox=${bbox}`)).body.features.map(
        ({ id }: { id: number }) => id,
      )
    const all = points.map(({ id }) => id)
    expect(await ids('170,-90,190,90')).toEqual(await ids('170,-90,-170,90'))
    expect(await ids('-190,-90,-170,90')).toEqual(await ids('170,-90,-170,90'))
    expect(await ids('-300,-200,300,200')).toEqual(all)
    expect(await ids('-180,-90,180,90')).toEqual(all)
    expect(await ids('0,91,10,92')).toEqual([])
  })

  test('of one point chooses the zones that hold it, also where rounding would decide', async () => {
    const user = await buildersOn(service).user()
    const cases = [
      {
        ring: [
          [0.4, 2.7],
          [2.3, 2.4],
          [2.4, 0.7],
        ],
        point: [1.9, 1.2],
      },
      {
        ring: [
          [1.2, 0.1],
          [0.1, 1.4],
          [2.6, 2.9],
        ],
        point: [2.2, 2.1],
      },
      {
        ring: [
          [0.1, 0.9],
          [1.3, 1.9],
          [1.4, 2.2],
        ],
        point: [0.7, 1.4],
      },
    ]
    for (const [i, { ring, point }] of cases.entries()) {
      const [lon, lat] = point
      const boundary = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
      expect((await user.post('/api/zones', { title: `Z${i}`, boundary })).status).toBe(201)
      const holding = (await user.get(`/api/zones/at?lat=${lat}&lon=${lon}`)).body.zones
      const { features } = (await user.get(`/ogc/collections/zones/items?bbox=${lon},${lat},${lon},${lat}`)).body
      const idsOf = (all: Answer['body']) => all.map(({ id }: { id: number }) => id)
      expect(idsOf(features)).toEqual(idsOf(holding))
    }
  })

  test('counts up to 5,000 public pins', async () => {
    const db = new pg.Client({ connectionString: service.databaseUrl })
    await db.connect()
    const pins = (visibility: string, count: number) =>
      db.query(
        `insert into pins (title, content_type, visibility, latitude, longitude)
         select 'P', 'GLB', $1, 21 + i * 1e-5, 179.99 from generate_series(1, $2) i`,
        [visibility, count],
      )
    const counted = async (bbox: string) =>
      (await service.anonymous.get(`/ogc/collections/pins/items?limit=1&bbox=${bbox}`)).body.numberMatched
    const [inside, outside] = ['179.98,21,179.995,21.1', '179.995,21,-179,21.1']
    const others = await counted(inside)
    await pins('unlisted', 10)
    await pins('public', 5000 - others)
    expect(await counted(inside)).toBe(5000)
    await pins('public', 1)
    expect(await counted(inside)).toBeUndefined()
    expect(await counted('179.98,21,-179,21.1')).toBeUndefined()
    expect(await counted(outside)).toBeLessThan(100)
    await db.end()
  })

  test('of many is paged also where ids lead elsewhere for long', async () => {
    const db = new pg.Client({ connectionString: service.databaseUrl })
    await db.connect()
    const pins = (latitude: number) =>
      db.query(
        `insert into pins (title, content_type, latitude, longitude)
         select 'P', 'GLB', $1, 31 + i * 1e-5 from generate_series(1, 3000) i returning id`,
        [latitude],
      )
    const expected: number[] = []
    for (const latitude of [31, 31.5]) {
      await db.query(`select setval(pg_get_serial_sequence('pins', 'id'), (select max(id) + 1000000 from pins))`)
      expected.push(...(await pins(latitude)).rows.map(({ id }) => Number(id)))
    }
    await db.end()
    const found: number[] = []
    for (let next: string | undefined = '/ogc/collections/pins/items?limit=1100&bbox=31,31,31.1,31.6'; next; ) {
      const { body } = await service.anonymous.get(next)
      found.push(...body.features.map(({ id }: { id: number }) => id))
      next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
    }
    expect(found).toEqual(expected)
  })
})
