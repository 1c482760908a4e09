import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
let owner: Caller
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)

  owner = await given.user()
  for (const [title, visibility] of [
    ['Bell rope', 'public'],
    ['Old bell', 'public'],
    ['Bell of the owner', 'private'],
    ['Bell without a list', 'unlisted'],
  ])
    await owner.post('/api/location/pins', { title, visibility, contentType: 'AUDIO', latitude: 54.3, longitude: 10.1 })
  const geoPose = { position: { lat: 54.32, lon: 10.14, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await owner.post('/api/gcp', { title: 'BELL-17', gcpType: 'SINGLE', geoPose })
  const ring = [
    [10, 54],
    [10.2, 54],
    [10.2, 54.2],
    [10, 54],
  ]
  await owner.post('/api/zones', { title: 'Bell Tower', boundary: { type: 'Polygon', coordinates: [ring] } })
})
afterAll(() => service.stop())

type Place = { kind: string; title: string; latitude: number | null; longitude: number | null }
const found = async (search: string, caller: Caller = service.anonymous, more = ''): Promise<Place[]> => {
  const { status, body } = await caller.get(`/api/location/names?search=${encodeURIComponent(search)}${more}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.places
}
const titles = async (...of: Parameters<typeof found>) => (await found(...of)).map(({ title }) => title)

test('pins, points and zones are found by part of their names, each with its place', async () => {
  expect(await found('bell')).toMatchObject([
    { kind: 'pin', title: 'Bell rope', latitude: 54.3, longitude: 10.1 },
    { kind: 'pin', title: 'Old bell' },
    { kind: 'gcp', title: 'BELL-17', latitude: 54.32, longitude: 10.14 },
    { kind: 'zone', title: 'Bell Tower', latitude: 54.1, longitude: 10.1 },
  ])
  expect(await titles('tower')).toEqual(['Bell Tower'])
  expect(await titles('100%')).toEqual([])
})

test('a private pin is found by its owner alone, an unlisted one by nobody', async () => {
  expect(await titles('bell of', owner)).toEqual(['Bell of the owner'])
  expect(await titles('bell of', await given.user())).toEqual([])
  expect(await titles('without a list', owner)).toEqual([])
})

test('limit is that of each kind, and an empty search is refused', async () => {
  expect(await titles('bell', service.anonymous, '&limit=1')).toEqual(['Bell rope', 'BELL-17', 'Bell Tower'])
  expect((await service.anonymous.get('/api/location/names?search=%20')).status).toBe(400)
})

test('of many, pins and zones are found by the beginning of their names and points by the whole, along an index', async () => {
  await sql("insert into pins (title, content_type) select 'Filler ' || n, 'AUDIO' from generate_series(1, 10000) n")
  await sql("insert into zones (title) select 'Filler ' || n from generate_series(1, 10000) n")
  await sql(
    "insert into gcps (title, title_key, gcp_type) select 'F' || n, 'f' || n, 'SINGLE' from generate_series(1, 10000) n",
  )
  expect(await titles('bell')).toEqual(['Bell rope', 'Bell Tower'])
  expect(await titles('bell-17')).toContain('BELL-17')
  expect(await titles('F9999')).toEqual(['F9999'])
  await sql('analyze pins')
  const plan = await sql<{ 'QUERY PLAN': string }>(
    `explain select id from pins where gcp_id is null and from_word(lower(title), 1) collate "C"
       between from_word(lower('bell'), 1) and from_word(lower('bell'), 1) || chr(1114111)`,
  )
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('pins_name')
})
