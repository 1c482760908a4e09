import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { sendScan, uploadOf } from '../../test/content/scans.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let owner: Caller
let given: ReturnType<typeof buildersOn>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  owner = await given.user()
})
afterAll(() => service.stop())

const MAPS = '/api/v1/user/maps'
const made = async (caller: Caller, path: string, body: object) => {
  const answer = await caller.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const newPin = (fields: object = {}) =>
  made(owner, '/api/location/pins', { title: 'Well', contentType: 'GLB', latitude: 1, longitude: 2, ...fields })
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
    ],
  ],
}
const newZone = async (fields: object = {}) => made(owner, '/api/zones', { title: 'Park', boundary: square, ...fields })
const newMap = (fields: object = {}, caller = owner) => made(caller, MAPS, { title: 'Tour', ...fields })
const view = async (id: string) => (await service.anonymous.get(`/api/v1/maps/${id}`)).body

test('a shared map shows its zones, the public pins in them, and the chosen pins to anyone', async () => {
  const zone = await newZone()
  const inside = await newPin({ title: 'Inside', zoneId: zone.id })
  await newPin({ title: 'Secret', zoneId: zone.id, visibility: 'private' })
  await newPin({ title: 'Unlisted', zoneId: zone.id, visibility: 'unlisted' })
  const chosen = await newPin({ title: 'Chosen', visibility: 'unlisted' })
  const map = await newMap({ description: 'A walk', zoneIds: [zone.id], pinIds: [chosen.id] })
  expect(map.url).toBe(`${service.url}/m/${map.id}`)
  expect(await view(map.id)).toEqual({
    ...{ id: map.id, title: 'Tour', description: 'A walk', boards: [] },
    zones: [{ id: zone.id, title: 'Park', boundary: square }],
    pins: [chosen, inside].map(({ id, title }) => ({
      ...{ id, title, latitude: 1, longitude: 2, contentType: 'GLB', arUrl: null },
    })),
  })
})

test('a pin with a model has its AR page, unless the model belongs to a private scan', async () => {
  const { fileId, url } = await uploadOf(owner, { name: 'well.glb', bytes: boxGlb() })
  const scan = (await sendScan(owner, { name: 'own.glb', bytes: boxGlb() })).body
  const { scanUrl } = (await owner.get(`/api/v1/user/scans/${scan.id}`)).body
  const pins = [await newPin({ title: 'A', contentUrl: url }), await newPin({ title: 'B', contentUrl: scanUrl })]
  const map = await newMap({ pinIds: pins.map(({ id }) => id) })
  const shown = (await view(map.id)).pins.map(({ arUrl }: { arUrl: string | null }) => arUrl)
  expect(shown).toEqual([`${service.url}/ar/${fileId}`, null])
  expect((await fetch(shown[0])).status).toBe(200)
})

test('the pin of a ground control point is shown if it is chosen, and not with its zone', async () => {
  const zone = await newZone()
  const geoPose = { position: { lat: 1, lon: 2, h: 3 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const { gcp } = await made(owner, '/api/gcp', { title: 'Wall', gcpType: 'SINGLE', geoPose, zoneId: zone.id })
  const { pins } = (await owner.get('/api/location/pins?lat=1&lon=2&radius=10')).body
  const pin = pins.find(({ gcpId }: { gcpId: number | null }) => gcpId === gcp.id)
  expect((await view((await newMap({ zoneIds: [zone.id] })).id)).pins).toEqual([])
  expect((await view((await newMap({ pinIds: [pin.id] })).id)).pins).toMatchObject([{ id: pin.id, title: 'Wall' }])
})

test('pinsInZones: false shows the boundaries alone', async () => {
  const zone = await newZone()
  await newPin({ zoneId: zone.id })
  const map = await newMap({ zoneIds: [zone.id], pinsInZones: false })
  expect((await view(map.id)).pins).toEqual([])
})

test('a pin that becomes private, and a zone that is deleted, are left out', async () => {
  const [zone, pin] = [await newZone(), await newPin()]
  const map = await newMap({ zoneIds: [zone.id], pinIds: [pin.id] })
  expect((await owner.put(`/api/location/pins/${pin.id}`, { title: 'Well', visibility: 'private' })).status).toBe(200)
  expect((await owner.delete(`/api/zones/${zone.id}`)).status).toBeLessThan(300)
  expect(await view(map.id)).toMatchObject({ zones: [], pins: [] })
})

test('unknown zones, and pins that are unknown or private, are refused with their place in the request', async () => {
  const hidden = await newPin({ visibility: 'private' })
  const { status, body } = await owner.post(MAPS, { title: 'Tour', zoneIds: [999_999], pinIds: [hidden.id] })
  expect([status, body.error.map(({ path }: { path: unknown }) => path)]).toEqual([
    400,
    [
      ['zoneIds', 0],
      ['pinIds', 0],
    ],
  ])
})

test('boundaries with too many positions together are refused', async () => {
  const ring = Array.from({ length: 9999 }, (_, i) => {
    const angle = (i / 9999) * 2 * Math.PI
    return [Math.cos(angle), Math.sin(angle)]
  })
  const boundary = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
  const zones = [await newZone({ boundary }), await newZone({ boundary }), await newZone()]
  const { status, body } = await owner.post(MAPS, { title: 'Tour', zoneIds: zones.map(({ id }) => id) })
  expect([status, body.error[0].message]).toEqual([
    400,
    'the boundaries have 20005 positions, and a map shows at most 20000: choose fewer zones',
  ])
})

test('a leaderboard is shown with names and scores, while the owner of the map is a developer of the app', async () => {
  const lead = await given.user()
  const app = await given.app({ owner: lead })
  const member = await given.user()
  const board = { appId: app.id }
  expect((await member.post(MAPS, { title: 'Tour', boards: [board] })).status).toBe(404)
  const roles = `/api/v1/apps/${app.id}/members`
  await made(lead, roles, { userId: member.id, role: 'viewer' })
  expect((await member.post(MAPS, { title: 'Tour', boards: [board] })).status).toBe(403)
  await lead.patch(`${roles}/${member.id}`, { role: 'developer' })
  const player = await given.player(app, 'Ada')
  const session = await made(app, '/api/v1/apps/game-sessions', { name: 'S', status: 'ACTIVE' })
  await app.post(`/api/v1/apps/game-sessions/${session.id}/players`, { playerId: player.id })
  await app.patch(`/api/v1/apps/game-sessions/${session.id}/players/${player.id}`, { score: 7 })
  const map = await newMap({ boards: [board] }, member)
  expect((await view(map.id)).boards).toEqual([
    { title: expect.any(String), entries: [{ ranking: 1, displayName: 'Ada', score: 7 }] },
  ])
  await lead.delete(`${roles}/${member.id}`)
  expect((await view(map.id)).boards).toEqual([])
})

test('a map is changed and deleted by its owner alone', async () => {
  const map = await newMap()
  const at = `${MAPS}/${map.id}`
  const stranger = await given.user()
  expect((await stranger.patch(at, { title: 'Mine' })).status).toBe(404)
  expect((await stranger.delete(at)).status).toBe(404)
  expect((await owner.patch(at, { title: 'New' })).body).toMatchObject({ title: 'New', description: null })
  expect((await owner.get(MAPS)).body.maps.at(-1)).toMatchObject({ id: map.id, title: 'New' })
  expect((await owner.delete(at)).status).toBe(204)
  expect((await service.anonymous.get(`/api/v1/maps/${map.id}`)).status).toBe(404)
  expect((await fetch(`${service.url}/m/${map.id}`)).status).toBe(404)
})

test('a change checks what it sends alone: a zone that was deleted since does not stop it', async () => {
  const zone = await newZone()
  const map = await newMap({ zoneIds: [zone.id] })
  await owner.delete(`/api/zones/${zone.id}`)
  const at = `${MAPS}/${map.id}`
  expect((await owner.patch(at, { title: 'New' })).body).toMatchObject({ title: 'New', zoneIds: [zone.id] })
  expect((await owner.patch(at, { zoneIds: [zone.id] })).status).toBe(400)
})

test('of changes at the same time to different members, all are kept', async () => {
  const map = await newMap()
  const at = `${MAPS}/${map.id}`
  const changes = { title: 'New', description: 'A walk', pinsInZones: false, pinIds: [(await newPin()).id] }
  await Promise.all(Object.entries(changes).map(([name, value]) => owner.patch(at, { [name]: value })))
  const { maps } = (await owner.get(MAPS)).body
  expect(maps.find(({ id }: { id: string }) => id === map.id)).toMatchObject(changes)
})

test('an ID that is given twice is refused', async () => {
  const zone = await newZone()
  const { status, body } = await owner.post(MAPS, { title: 'Tour', zoneIds: [zone.id, zone.id] })
  expect([status, body.error]).toEqual([
    400,
    [{ code: 'custom', message: 'must not have an ID twice', path: ['zoneIds'] }],
  ])
})

test('the page says that a map is not there in a frame too', async () => {
  const page = await fetch(`${service.url}/m/${randomUUID()}`)
  expect(page.status).toBe(404)
  expect(await page.text()).toContain('There is no map here')
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect(page.headers.get('x-frame-options')).toBeNull()
})

test('a user can have at most 100 maps', async () => {
  const many = await given.user()
  for (let i = 0; i < 100; i++) await newMap({}, many)
  const { status, body } = await many.post(MAPS, { title: 'One more' })
  expect([status, body.error]).toEqual([409, 'A user can have at most 100 shared maps: delete one first'])
})
