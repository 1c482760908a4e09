import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { toEcef } from '../../places/geodesy.ts'

let service: Service
let another: Awaited<ReturnType<typeof startSecondService>>
let user: Caller & { id: string }
let pool: pg.Pool
beforeAll(async () => {
  service = await startService()
  another = await startSecondService(service, { CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000' })
  user = await buildersOn(service).user()
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 4 })
})
beforeEach(async () => {
  for (const { pinIndex } of [service.app, another.app]) await pinIndex.whenLoaded()
})
afterAll(async () => {
  await pool.end()
  await another.stop()
  await service.stop()
})

type Pin = { id: number; title: string; visibility: string }
const at = (latitude: number, longitude: number) => `/api/location/pins?lat=${latitude}&lon=${longitude}`
const here = async (path: string): Promise<Pin[]> => (await service.anonymous.get(path)).body.pins
const there = async (path: string): Promise<Pin[]> => (await another.as({}).get(path)).body.pins
const titles = (pins: Pin[]) => pins.map(({ title }) => title)
const pinAt = async (latitude: number, longitude: number, more: object = {}) =>
  (await user.post('/api/location/pins', { title: 'P', contentType: 'TEXT', latitude, longitude, ...more })).body as Pin
const searches = async (by: string) => {
  const { body } = await service.anonymous.get('/metrics')
  return Number(new RegExp(`cairn_pin_searches_total\\{by="${by}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}
/** The state of another process after it received all committed changes. */
const heard = () => another.app.pinIndex.caughtUp()

test('every kind of search is answered in memory', async () => {
  await pinAt(10, 10, { geoPose: { position: { lat: 10, lon: 10, h: 5 }, angles: { yaw: 0, pitch: 0, roll: 0 } } })
  const before = [await searches('index'), await searches('database')]
  const kinds = ['', '&radius=5', '&nearest=3', '&bbox=9,9,11,11', '&minH=1&maxH=9', '&contentType=TEXT', '&limit=1']
  for (const more of [...kinds, '&format=geojson', '&pose=eus']) {
    const { status, body } = await service.anonymous.get(at(10, 10) + more)
    expect([more, status, (body.pins ?? body.features).length]).toEqual([more, 200, 1])
  }
  expect((await user.get(at(10, 10))).status).toBe(200)
  expect([await searches('index'), await searches('database')]).toEqual([before[0]! + 10, before[1]])
})

test('a written pin is found at once in the same process, and soon in others', async () => {
  const pin = await pinAt(20, 20, { title: 'One' })
  expect(titles(await here(at(20, 20)))).toEqual(['One'])
  await expect.poll(async () => titles(await there(at(20, 20)))).toEqual(['One'])
  for (const [change, found] of [
    [{ title: 'Two' }, ['Two']],
    [{ title: 'Two', visibility: 'private' }, []],
    [{ title: 'Two', visibility: 'public', contentType: 'GLB' }, ['Two']],
    [{ title: 'Two', latitude: 21, longitude: 21 }, []],
    [{ title: 'Two', latitude: 20, longitude: 20 }, ['Two']],
  ] as const) {
    expect((await user.put(`/api/location/pins/${pin.id}`, change)).status).toBe(200)
    expect([change, titles(await here(at(20, 20)))]).toEqual([change, found])
    await heard()
    expect([change, titles(await there(at(20, 20)))]).toEqual([change, found])
  }
  await user.delete(`/api/location/pins/${pin.id}`)
  expect(await here(at(20, 20))).toEqual([])
  await heard()
  expect(await there(at(20, 20))).toEqual([])
})

test('private pins are found by their creator only, and removed with them', async () => {
  const leaver = await buildersOn(service).user()
  await leaver.post('/api/location/pins', {
    title: 'Mine',
    contentType: 'TEXT',
    latitude: 22,
    longitude: 22,
    visibility: 'private',
  })
  expect(titles((await leaver.get(at(22, 22))).body.pins)).toEqual(['Mine'])
  expect(await here(at(22, 22))).toEqual([])
  expect((await user.get(at(22, 22))).body.pins).toEqual([])
  await leaver.post('/api/location/pins', { title: 'Left', contentType: 'TEXT', latitude: 22, longitude: 22 })
  expect((await leaver.delete('/api/v1/user')).status).toBe(204)
  expect(await here(at(22, 22))).toEqual([expect.objectContaining({ title: 'Left', userId: null })])
})

test('pins deleted with a zone, a ground control point or a truncated table are removed from searches', async () => {
  const zoneId = (await user.post('/api/zones', { title: 'Z' })).body.id
  const geoPose = { position: { lat: 23, lon: 23, h: 1 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  for (let i = 0; i < 3; i++) await user.post('/api/gcp', { title: `G${i}`, gcpType: 'SINGLE', zoneId, geoPose })
  await pinAt(23, 23, { zoneId })
  expect(await here(at(23, 23))).toHaveLength(4)
  expect((await user.delete(`/api/zones/${zoneId}?cascade=true`)).status).toBeLessThan(300)
  expect(await here(at(23, 23))).toEqual([])
  await pinAt(23, 23)
  await pool.query('truncate pins cascade')
  await service.app.pinIndex.caughtUp()
  expect(await here(at(23, 23))).toEqual([])
})

test('pins written by other processes and programs during a load are in the loaded index', {
  tags: ['long'],
}, async () => {
  await pool.query(`insert into pins (title, content_type, latitude, longitude)
    select 'many', 'TEXT', 30 + (i % 100) * 0.01, 30 + i / 100 * 0.01 from generate_series(0, 9999) as i`)
  for (let round = 0; round < 8; round++) {
    another.app.pinIndex.reload()
    const changes = Array.from({ length: 12 }, (_, i) =>
      pool.query(
        [
          `insert into pins (title, content_type, latitude, longitude) values ('new', 'TEXT', 30.5, 30.5)`,
          `update pins set longitude = longitude + 1 where id % 100 = ${(round * 12 + i) % 100}`,
          `delete from pins where id % 500 = ${round * 12 + i}`,
          `update pins set visibility = case visibility when 'public' then 'unlisted' else 'public' end where id % 70 = ${i}`,
        ][i % 4]!,
      ),
    )
    await another.app.pinIndex.whenLoaded()
    await Promise.all(changes)
    await heard()
    // A large batch before may be announced as a change of all pins.
    await another.app.pinIndex.whenLoaded()
    const { rows } = await pool.query(`select count(*)::int as pins from pins where visibility = 'public'`)
    expect(another.app.pinIndex.pins?.size).toBe(rows[0].pins)
    for (const path of [at(30.5, 30.5), at(30.2, 31.3)]) {
      const byPage = await there(`${path}&radius=20000&limit=1000`)
      const { rows: near } = await pool.query(
        `select id::int, metres from pins, metres_between(place, $1, $2, $3)
          where visibility = 'public' and metres <= 20000 order by metres, id limit 1000`,
        earth(path),
      )
      expect(byPage.map(({ id }) => id)).toEqual(near.map(({ id }) => id))
    }
  }
})

test('an index that differs from the database is detected and reloaded', async () => {
  for (const title of ['Kept', 'Deleted behind its back']) await pinAt(40, 40, { title })
  const { pinIndex, checkPins } = service.app
  expect(await checkedUntil(checkPins, true)).toBe(true)
  // Simulates rows written without triggers, as by a restore.
  await pool.query(`begin; set local session_replication_role = replica;
    delete from pins where id > (select min(id) from pins); commit`)
  expect(await checkedUntil(checkPins, false)).toBe(true)
  await pinIndex.whenLoaded()
  expect(pinIndex.pins?.size).toBe(1)
})

async function checkedUntil(check: () => Promise<boolean | undefined>, wanted: boolean): Promise<boolean> {
  for (let turn = 0; turn < 200; turn++) if ((await check()) === wanted) return true
  return false
}

/** The centre of a search, in metres. */
function earth(path: string): number[] {
  const parameters = new URLSearchParams(path.split('?')[1])
  return [...toEcef(Number(parameters.get('lat')), Number(parameters.get('lon')))]
}
