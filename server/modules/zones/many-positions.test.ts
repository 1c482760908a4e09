// @module-tag long
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'
import { outlineBytes } from './boundary/outline.ts'
import { createOutlines } from './boundary/outlines.ts'

const POSITIONS = 10_000
/** More than one search looks at. */
const ZONES = 105

let service: Service
let ids: number[]
beforeAll(async () => {
  service = await startService()
  const user = await buildersOn(service).user()
  const { status, body } = await user.post('/api/zones', { title: 'Comb', boundary: comb() })
  expect(status).toBe(201)
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `insert into zones (title, boundary, positions)
     select title, boundary, positions from zones, generate_series(2, $2) where id = $1 returning id::int`,
    [body.id, ZONES],
  )
  await client.end()
  ids = [body.id, ...rows.map(({ id }) => id)]
})
afterAll(() => service.stop())

/** Teeth from the south, each a thousandth of a degree wide, with gaps of as much, joined in the north. Each latitude is crossed by every side. */
function comb() {
  const teeth = POSITIONS / 4 - 1
  const ring: number[][] = []
  for (let i = 0; i < teeth; i++) {
    const west = Number((10 + i * 0.002).toFixed(3))
    const east = Number((west + 0.001).toFixed(3))
    ring.push([west, 50.9], [west, 50], [east, 50], [east, 50.9])
  }
  ring.push([Number((10 + teeth * 0.002).toFixed(3)), 50.9], [20, 51], [10, 51], ring[0]!)
  return { type: 'Polygon', coordinates: [ring] }
}

const IN_A_TOOTH = { lat: 50.5, lon: 12.0005 }
const IN_A_GAP = { lat: 50.5, lon: 12.0015 }
const atPath = ({ lat, lon }: { lat: number; lon: number }) => `/api/zones/at?lat=${lat}&lon=${lon}`
const itemsPath = ({ lat, lon }: { lat: number; lon: number }) =>
  `/ogc/collections/zones/items?limit=1000&properties=title&bbox=${lon},${lat},${lon + 0.0001},${lat + 0.0001}`

/** All pages of a search: the ids, and of how many zones each page is. */
async function pagesOf(path: string) {
  const found: number[] = []
  const pages: number[] = []
  for (let next: string | undefined = path; next; ) {
    const { status, body, headers } = await service.anonymous.get(next)
    expect(status).toBe(200)
    const zones: { id: number; rel: string; href: string }[] = body.zones ?? body.features
    found.push(...zones.map(({ id }) => id))
    pages.push(zones.length)
    next =
      /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ??
      body.links?.find(({ rel }: { rel: string }) => rel === 'next')?.href
  }
  return { found, pages }
}

test('a search tests a million positions per page and finds every zone over several pages', async () => {
  for (const pathOf of [atPath, itemsPath]) {
    expect((await pagesOf(pathOf(IN_A_TOOTH))).found).toEqual(ids)
    expect(await pagesOf(pathOf(IN_A_GAP))).toEqual({ found: [], pages: [0, 0] })
  }
})

test('a page has zones of 100,000 positions at most, and the next ones follow', async () => {
  for (const path of [atPath(IN_A_TOOTH), '/api/zones']) {
    const { found, pages } = await pagesOf(path)
    expect(found).toEqual(ids)
    for (const zones of pages) expect(zones * POSITIONS).toBeLessThanOrEqual(100_000 + POSITIONS)
  }
})

test('two searches query and test at a time, a bounded number waits, and further ones are 503 with Retry-After', async () => {
  const loaded = Promise.withResolvers<[]>()
  const outlines = createOutlines({ load: () => loaded.promise, maxWaiting: 3 })
  const candidates = [{ id: 1, version: '1', bytes: 1 }]
  let queries = 0
  const search = () =>
    outlines.holding(
      async () => {
        queries++
        return candidates
      },
      [0, 0],
      1,
      'a sender',
    )
  const looking = Array.from({ length: 5 }, search)
  await expect(search()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(queries).toBe(2)
  loaded.resolve([])
  for (const found of await Promise.all(looking))
    expect(found).toEqual({ candidates, ids: [], lookedAt: 1, isCut: false })
})

test('a search finds every zone where the cache holds fewer', async () => {
  const ring: [number, number][] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ]
  const square = outlineBytes({ type: 'Polygon', coordinates: [ring] })
  const load = async (some: number[]) => some.map((id) => ({ id, version: '1', positions: Buffer.from(square) }))
  // Two of such outlines fit.
  const outlines = createOutlines({ load, bytes: 700 })
  const among = (some: number[]) =>
    outlines.holding(async () => some.map((id) => ({ id, version: '1', bytes: 1 })), [0.5, 0.5], 10, 'a sender')
  expect((await among([2, 3])).ids).toEqual([2, 3])
  expect((await among([1, 2, 3])).ids).toEqual([1, 2, 3])
  expect((await among([4, 3, 2, 1])).ids).toEqual([4, 3, 2, 1])
})

test('any number of concurrent searches get a result or a 503 with Retry-After', async () => {
  const answers = await Promise.all(Array.from({ length: 250 }, () => service.anonymous.get(atPath(IN_A_GAP))))
  for (const { status, headers } of answers)
    expect([status, headers.get('retry-after')]).toEqual(status === 200 ? [200, null] : [503, '5'])
})

test('a boundary is sent as it is stored, position by position', async () => {
  const { body } = await service.anonymous.get(`/api/zones/${ids[3]}`)
  expect(body.boundary).toEqual(comb())
})

test('a page of zones ends when their boundaries fill it, and the next continues there', async () => {
  expect((await pagesOf('/api/zones')).found).toEqual(ids)
})
