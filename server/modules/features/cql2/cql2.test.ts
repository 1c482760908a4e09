import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const get = (collection: string, query: Record<string, string>) =>
  service.anonymous.get(`/ogc/collections/${collection}/items?${new URLSearchParams(query)}`)
const idsOf = ({ body }: { body: { features: { id: number }[] } }) => body.features.map(({ id }) => id)
/** The IDs of all pages, and how many there are. */
async function all(collection: string, query: Record<string, string>) {
  const ids: number[] = []
  let pages = 0
  let next = `${service.url}/ogc/collections/${collection}/items?${new URLSearchParams(query)}`
  for (; next; pages++) {
    const { body } = await service.anonymous.get(next)
    ids.push(...idsOf({ body }))
    next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
  }
  return { ids, pages }
}
const zone = async (title: string, boundary?: object): Promise<number> =>
  (await user.post('/api/zones', { title, ...(boundary && { boundary }) })).body.id

describe('a filter', () => {
  test('is joined with bbox, datetime and properties by AND', async () => {
    const at = async (title: string, longitude: number) =>
      (await user.post('/api/location/pins', { title, contentType: 'GLB', latitude: 60, longitude })).body.id as number
    const [here, far, other] = [await at('Joined A', 10), await at('Joined A', 20), await at('Joined B', 10)]
    const filter = `title LIKE 'Joined%'`
    expect(idsOf(await get('pins', { filter }))).toEqual([here, far, other])
    expect(idsOf(await get('pins', { filter, bbox: '9,59,11,61' }))).toEqual([here, other])
    expect(idsOf(await get('pins', { filter, bbox: '9,59,11,61', title: 'Joined A' }))).toEqual([here])
    expect(idsOf(await get('pins', { filter, datetime: '../2000-01-01T00:00:00Z' }))).toEqual([])
  })

  test('never shows what no layer has', async () => {
    const hidden = { title: 'Hidden', contentType: 'GLB', latitude: 1, longitude: 2, visibility: 'private' }
    await user.post('/api/location/pins', hidden)
    const { body: all } = await get('pins', { filter: `title = 'Hidden' OR TRUE` })
    expect(all.features.map(({ properties }: { properties: { title: string } }) => properties.title)).not.toContain(
      'Hidden',
    )
    expect(idsOf(await get('pins', { filter: `title = 'Hidden'` }))).toEqual([])
    expect((await get('pins', { filter: `FALSE) OR (title = 'Hidden'` })).status).toBe(400)
  })

  test('follows the links of pages to the last match, also where few match among many ids', async () => {
    const first = await zone('Sparse')
    await sqlOn(service)(`select setval(pg_get_serial_sequence('zones', 'id'), 95000)`)
    const last = await zone('Sparse')
    const { ids, pages } = await all('zones', { filter: `title = 'Sparse'` })
    expect(ids).toEqual([first, last])
    expect(pages).toBeGreaterThan(1)
  })

  test('compares the whole boundary of zones, beside a bbox too', async () => {
    const ring = (west: number) => [
      [west, 70],
      [west + 4, 70],
      [west + 4, 74],
      [west, 70],
    ]
    const id = await zone('Triangle', { type: 'Polygon', coordinates: [ring(100)] })
    const inside = `S_INTERSECTS(geometry, POINT(103 71))`
    const corner = `S_INTERSECTS(geometry, BBOX(100, 73, 101, 74))`
    expect((await all('zones', { filter: inside })).ids).toEqual([id])
    expect((await all('zones', { filter: corner })).ids).toEqual([])
    expect(idsOf(await get('zones', { filter: inside, bbox: '103,73,104,74' }))).toEqual([id])
    expect(idsOf(await get('zones', { filter: `NOT ${inside}`, bbox: '103,73,104,74' }))).toEqual([])
  })

  test('takes what QGIS makes of its expressions', async () => {
    const { body } = await user.post('/api/gcp', { title: 'C:\\', gcpType: 'SINGLE', altitude: -5 })
    const made = `createdAt >= TIMESTAMP('2000-01-01T00:00:00.000Z')`
    const filter = `((title = 'C:\\\\') AND (((altitude < ( - (4)))) AND ((NOT (description IS NOT NULL)) AND (${made}))))`
    expect(idsOf(await get('gcps', { filter }))).toEqual([body.gcp.id])
  })

  test('crosses 180° with a BBOX whose west is greater than its east', async () => {
    const pin = { title: 'Fiji', contentType: 'GLB', latitude: -17, longitude: -179.5 }
    const { body } = await user.post('/api/location/pins', pin)
    const filter = 'S_INTERSECTS(geometry, BBOX(179, -18, -179, -16))'
    expect(idsOf(await get('pins', { filter }))).toEqual([body.id])
  })

  test('compares every property that the queryables list, also as a parameter of its own', async () => {
    const { body: made } = await user.post('/api/gcp', { title: 'Q', gcpType: 'SINGLE', altitude: 3.5, aprilTagId: 9 })
    for (const [name, value, text] of [
      ['altitude', '3.5', '3.5'],
      ['aprilTagId', '9', '9'],
      ['userId', made.gcp.userId ?? made.pin.userId, `'${made.pin.userId}'`],
      ['createdAt', made.gcp.createdAt, `TIMESTAMP('${made.gcp.createdAt}')`],
    ]) {
      expect(idsOf(await get('gcps', { filter: `${name} = ${text}` })), name).toContain(made.gcp.id)
      expect(idsOf(await get('gcps', { [name]: value })), name).toContain(made.gcp.id)
    }
  })
})

describe('a filter that cannot be evaluated is 400 with what is wrong', () => {
  const deep = `${'('.repeat(40)}TRUE${')'.repeat(40)}`
  test.each([
    ['gcps', 'colour = 1', 'names "colour", which is no queryable'],
    ['gcps', 'title = 1', 'compares string with number'],
    ['gcps', 'title', 'ends where a comparison, LIKE, BETWEEN, IN or IS NULL is missing'],
    ['gcps', 'title = ', 'ends where a property or a value is missing'],
    ['gcps', `title = 'a' OR`, 'ends where a property or a value is missing'],
    ['gcps', `title = 'a`, "has a ' at character 9 without its end"],
    ['gcps', `title = 'a' title`, 'where the end, AND or OR is expected'],
    ['gcps', 'title ; drop', 'has an unexpected ; at character 7'],
    ['gcps', `title LIKE 'a\\\\\\'`, 'without its end'],
    ['gcps', 'altitude LIKE 5', 'pattern is no text'],
    ['gcps', `altitude LIKE '5'`, 'has a LIKE on a number'],
    ['gcps', 'geometry = 1', 'use S_INTERSECTS'],
    ['gcps', `createdAt > TIMESTAMP('yesterday')`, 'no time in RFC 3339'],
    ['gcps', `createdAt > DATE('2026-01-01')`, 'write TIMESTAMP'],
    ['gcps', `DATE('0000-01-01') = DATE('0000-01-01')`, 'no date such as'],
    ['gcps', 'S_INTERSECTS(geometry, LINESTRING(0 0, 1 1))', 'use POINT, POLYGON, MULTIPOLYGON or BBOX'],
    ['gcps', 'S_INTERSECTS(geometry, POLYGON((0 0, 1 1, 1 0)))', 'has a ring that is not closed'],
    ['gcps', 'S_INTERSECTS(geometry, POINT(100 100))', 'not on earth'],
    ['gcps', 'S_INTERSECTS(title, POINT(1 1))', 'S_INTERSECTS on "title"'],
    ['gcps', 'S_INTERSECTS(POINT(1 1), POINT(1 1))', 'not between a property and a geometry'],
    ['zones', 'S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1, 0 0)))', 'use POINT or BBOX'],
    ['gcps', deep, 'is nested more than 32 deep'],
    ['gcps', `altitude IN (${Array(201).fill(1).join(',')})`, 'has an IN with more than 200 values'],
    ['gcps', Array(300).fill('altitude > 1').join(' OR '), 'has more than 500 parts'],
  ])('%s: %s', async (collection, filter, message) => {
    const { status, body } = await get(collection, { filter })
    expect(status).toBe(400)
    expect(body.error).toMatchObject([{ path: ['filter'], message: expect.stringContaining(message) }])
  })

  test.each([
    ['{', 'is not valid JSON'],
    ['{"op":"=","args":[{"property":"title"}]}', 'has "=" with arguments that it does not take'],
    ['{"op":"exec","args":["ls"]}', 'has the operator "exec", which is not supported'],
    ['{"op":"__proto__","args":[]}', 'which is not supported'],
    ['{"op":"not","args":[]}', 'has "not" with 0 arguments'],
    ['7', 'must be an object with op and args'],
    ['['.repeat(2000), 'is nested more than 32 deep'],
  ])('JSON: %s', async (filter, message) => {
    const { status, body } = await get('gcps', { filter, 'filter-lang': 'cql2-json' })
    expect(status).toBe(400)
    expect(body.error).toMatchObject([{ path: ['filter'], message: expect.stringContaining(message) }])
  })

  test.each([
    ['filter-lang', 'ecql'],
    ['filter-crs', 'http://www.opengis.net/def/crs/EPSG/0/99999'],
  ])('%s: %s', async (name, value) => {
    expect((await get('gcps', { filter: 'TRUE', [name]: value })).status).toBe(400)
  })
})
