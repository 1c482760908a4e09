// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

type Position = [longitude: number, latitude: number]
/** A condition in CQL2, and the same in SQL. */
type Both = { cql: string; sql: string }
type Row = { id: number; geometry: object | null }

const FEATURES = 90
const thousandths = (min: number, max: number) =>
  fc.integer({ min: min * 1000, max: max * 1000 }).map((value) => value / 1000)
const TITLES = ['a', 'B', 'ab', "it's", 'é']
const sample = fc.sample(
  fc.record({
    at: fc.option(fc.tuple(thousandths(-20, 20), thousandths(-20, 20))),
    height: fc.option(fc.integer({ min: -50, max: 50 })),
    corners: fc.tuple(...Array.from({ length: 4 }, () => thousandths(0.5, 6))),
    title: fc.constantFrom(...TITLES),
    description: fc.option(fc.constantFrom(...TITLES)),
    altitude: fc.option(fc.integer({ min: -3, max: 3 })),
  }),
  { numRuns: FEATURES, seed: 32 },
)

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  const user = await buildersOn(service).user()
  for (const { at, height, corners, title, description, altitude } of sample) {
    const [longitude, latitude] = (at ?? []) as Partial<Position>
    const [a, b, c, d] = corners as [number, number, number, number]
    const position = at && { lat: latitude, lon: longitude, h: height ?? 0 }
    const gcp = await user.post('/api/gcp', {
      ...{ title, description, altitude, gcpType: altitude === 1 ? 'MULTI' : 'SINGLE' },
      ...(position && { geoPose: { position, angles: { yaw: 0, pitch: 0, roll: 0 } } }),
    })
    // A kite: its box has corners that it does not touch.
    const ring = at && [
      [longitude! - a, latitude!],
      [longitude!, latitude! - b],
      [longitude! + c, latitude!],
      [longitude!, latitude! + d],
      [longitude! - a, latitude!],
    ]
    const boundary = ring && { type: 'Polygon', coordinates: [ring] }
    const zone = await user.post('/api/zones', { title, description, boundary })
    expect([gcp.status, zone.status]).toEqual([201, 201])
  }
})
afterAll(() => service.stop())

/** Never on a corner of a zone: PostgreSQL takes what is within 1e-6 for the same. */
const degree = thousandths(-30, 30).map((value) => value + 0.0005)
const boxes = fc
  .tuple(degree, degree, degree, degree)
  .map(([a, b, c, d]) => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as number[])

/** What is read without the service: rows with their geometry, where it lies in a box, and the text of properties. */
const LAYERS = {
  gcps: {
    rows: `select g.id, case when p.place is null then null else json_build_object('type', 'Point', 'coordinates',
             json_build_array(p.longitude, p.latitude, (p.geo_pose #>> '{position,h}')::float8)) end as geometry
             from gcps g join pins p on p.gcp_id = g.id`,
    place: 'p.longitude',
    alias: 'g',
    inBox: ([west, south, east, north]: number[]) =>
      `(p.longitude between ${west} and ${east} and p.latitude between ${south} and ${north})`,
  },
  zones: {
    rows: `select z.id, z.boundary as geometry from zones z`,
    place: 'z.boundary',
    alias: 'z',
    // The polygons of PostgreSQL itself, which the service does not use.
    inBox: ([west, south, east, north]: number[]) => `((
      select polygon(path('(' || string_agg('(' || (corner ->> 0) || ',' || (corner ->> 1) || ')', ',') || ')'))
        from json_array_elements(z.boundary::json #> '{coordinates,0}') as corner)
      && polygon(box(point(${west}, ${south}), point(${east}, ${north}))))`,
  },
}
type Layer = keyof typeof LAYERS

/** Random filters, up to three levels deep. */
function filtersOn(layer: Layer): fc.Arbitrary<Both> {
  const { alias, inBox, place } = LAYERS[layer]
  const quoted = fc.constantFrom(...TITLES).map((title) => `'${title.replaceAll("'", "''")}'`)
  const texts = fc.tuple(fc.constantFrom('title', 'description'), fc.constantFrom('=', '<>', '<', '>='), quoted).map(
    ([name, op, value]): Both => ({
      cql: `${name} ${op} ${value}`,
      sql: `(${alias}.${name} collate "C" ${op} ${value})`,
    }),
  )
  const ids = fc
    .integer({ min: 1, max: FEATURES })
    .map((id): Both => ({ cql: `id < ${id}`, sql: `${alias}.id < ${id}` }))
  const nulls = fc.constantFrom<Both>(
    { cql: 'description IS NULL', sql: `${alias}.description is null` },
    { cql: 'geometry IS NULL', sql: `${place} is null` },
  )
  const heights = fc.integer({ min: -3, max: 3 }).map(
    (low): Both => ({
      cql: `altitude BETWEEN ${low} AND ${low + 2}`,
      sql: `g.altitude between ${low} and ${low + 2}`,
    }),
  )
  const spatial = boxes.map((box): Both => ({ cql: `S_INTERSECTS(geometry,BBOX(${box}))`, sql: inBox(box) }))
  const leaf = fc.oneof(texts, ids, nulls, spatial, ...(layer === 'gcps' ? [heights] : []))
  const joined = fc
    .tuple(fc.constantFrom('and', 'or'), leaf, leaf)
    .map(([op, a, b]): Both => ({ cql: `(${a.cql} ${op} ${b.cql})`, sql: `(${a.sql} ${op} ${b.sql})` }))
  const negated = joined.map((one): Both => ({ cql: `NOT ${one.cql}`, sql: `(not ${one.sql})` }))
  return fc.oneof(leaf, joined, negated)
}

/** The features of all pages, and what the first says of their number. */
async function read(layer: Layer, query: Record<string, string>) {
  const features: { id: number; geometry: object | null }[] = []
  let matched: number | undefined
  for (let path: string | undefined = `/ogc/collections/${layer}/items?${new URLSearchParams(query)}`; path; ) {
    const { status, body }: Answer = await service.anonymous.get(path)
    expect([query, status, body.error]).toEqual([query, 200, undefined])
    matched ??= body.numberMatched
    features.push(...body.features.map(({ id, geometry }: Row): Row => ({ id, geometry })))
    path = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
  }
  return { features, matched }
}

describe.each(['gcps', 'zones'] as const)('the layer %s, compared with SQL', (layer) => {
  const { rows, inBox, place, alias } = LAYERS[layer]
  const stored = (where: string) => sql<Row>(`${rows} where ${where} order by ${alias}.id`)

  test('has in any bbox what lies there and what has no place, with its geometry and number', async () => {
    await fc.assert(
      fc.asyncProperty(boxes, fc.integer({ min: 7, max: 100 }), async (box, limit) => {
        const { features, matched } = await read(layer, { bbox: String(box), limit: String(limit) })
        const expected = await stored(`${place} is null or ${inBox(box)}`)
        expect(features).toEqual(expected)
        if (layer === 'gcps') expect(matched).toBe(expected.length)
      }),
      { numRuns: 60 },
    )
  })

  test('has for any filter, alone or with a bbox, what the condition selects', async () => {
    await fc.assert(
      fc.asyncProperty(filtersOn(layer), fc.option(boxes), async ({ cql, sql: where }, box) => {
        const { features } = await read(layer, { filter: cql, ...(box && { bbox: String(box) }) })
        const also = box ? ` and (${place} is null or ${inBox(box)})` : ''
        expect(features).toEqual(await stored(where + also))
      }),
      { numRuns: 120 },
    )
  })
})
