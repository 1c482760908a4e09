import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { importsOn } from '../surveying/imports.ts'

const MOST = 3
let service: Service
let user: Caller & { id: string }
let ops: Caller & { id: string }
beforeAll(async () => {
  const quotas = ['APPS', 'KEYS', 'WEBHOOKS', 'GAME_TYPES', 'ZONES', 'IMPORTS', 'PLAYER_KEYS'].map(
    (name) => `CAIRN_QUOTA_${name}`,
  )
  service = await startService({
    ...Object.fromEntries(quotas.map((name) => [name, String(MOST)])),
    CAIRN_QUOTA_ZONE_POSITIONS: '12',
    CAIRN_QUOTA_STORAGE_BYTES: '1000',
    CAIRN_ROLE: 'api',
    CAIRN_WEBHOOK_HOSTS: '127.0.0.1:9',
  })
  const given = buildersOn(service)
  user = await given.user()
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

const newApp = (owner: Caller) => owner.post('/api/v1/apps', { name: 'App', description: 'x' })
const square = (at: number) => ({
  type: 'Polygon',
  coordinates: [[at, at + 1, at + 1, at, at].map((x, i) => [x, i < 2 || i === 4 ? at : at + 1])],
})
type Sent = { status: number; body: { error?: string } }

/** Sends concurrent requests; one that waited for a lock for a second is sent again. @returns the number accepted, and the other responses */
async function together(count: number, send: () => Promise<Sent>) {
  const whenFree = async (): Promise<Sent> => {
    const answer = await send()
    return answer.status === 503 ? whenFree() : answer
  }
  const answers = await Promise.all(Array.from({ length: count }, whenFree))
  const refused = answers.filter(({ status }) => status >= 300)
  return {
    taken: count - refused.length,
    refused: [...new Set(refused.map(({ status, body }) => `${status} ${body.error}`))],
  }
}

describe('a quota is exact for concurrent requests, and its error names the setting:', () => {
  test('apps of a user', async () => {
    expect(await together(8, () => newApp(user))).toEqual({
      taken: MOST,
      refused: ['409 A user can have at most 3 apps: delete one, or ask the operator to raise CAIRN_QUOTA_APPS'],
    })
    const [{ id, name }] = (await user.get('/api/v1/apps')).body.apps
    await user.delete(`/api/v1/apps/${id}?name=${name}`)
    expect((await newApp(user)).status).toBe(201)
  })

  test('zones of a user', async () => {
    expect(await together(8, () => user.post('/api/zones', { title: 'Zone' }))).toEqual({
      taken: MOST,
      refused: ['409 A user can have at most 3 zones: delete one, or ask the operator to raise CAIRN_QUOTA_ZONES'],
    })
  })

  test('positions of all boundaries of a user; a boundary may always be simplified', async () => {
    const owner = await buildersOn(service).user()
    const { taken, refused } = await together(3, () => owner.post('/api/zones', { title: 'A', boundary: square(1) }))
    expect([taken, refused]).toEqual([2, [expect.stringContaining('at most 12 positions in total')]])
    const { id } = (await owner.get('/api/zones')).body.zones.find(
      (zone: { userId: string }) => zone.userId === owner.id,
    )
    const put = (boundary: unknown) => owner.put(`/api/zones/${id}`, { title: 'A', boundary })
    const five = square(2)
    const eight = {
      type: 'Polygon',
      coordinates: [[...five.coordinates[0]!.flatMap((at, i) => (i > 0 && i < 4 ? [at, at] : [at]))]],
    }
    expect((await put(eight)).status).toBe(409)
    expect((await put(five)).status).toBe(200)
    expect((await put(null)).status).toBe(200)
    expect((await owner.post('/api/zones', { title: 'B', boundary: square(3) })).status).toBe(201)
  })

  test('valid keys of an app, including those in a grace period', async () => {
    const owner = await buildersOn(service).user()
    const { id } = (await newApp(owner)).body
    const rotate = (graceSeconds: number) => owner.post(`/api/v1/apps/${id}/api-key/rotate`, { graceSeconds })
    const { taken, refused } = await together(6, () => rotate(3600))
    expect([taken, refused]).toEqual([
      MOST - 1,
      [expect.stringContaining('409 An app can have at most 3 working keys')],
    ])
    expect((await rotate(0)).status).toBe(200)
  })

  test('webhooks of an app', async () => {
    const owner = await buildersOn(service).user()
    const { id } = (await newApp(owner)).body
    const webhook = { url: 'http://127.0.0.1:9/hook', eventTypes: ['player.created'] }
    const { taken, refused } = await together(6, () => owner.post(`/api/v1/apps/${id}/webhooks`, webhook))
    expect([taken, refused]).toEqual([MOST, [expect.stringContaining('409 An app can have at most 3 webhooks')]])
  })

  test('storage keys of a player; a key that is there can be written', async () => {
    const app = await buildersOn(service).app()
    const path = `/api/v1/apps/players/${(await buildersOn(service).player(app)).id}/storage`
    let count = 0
    const { taken, refused } = await together(8, () => app.put(`${path}/key-${++count}`, {}))
    expect([taken, refused]).toEqual([
      MOST,
      [
        '409 A player can have at most 3 storage keys: delete one, or ask the operator to raise CAIRN_QUOTA_PLAYER_KEYS',
      ],
    ])
    const [{ key }] = (await app.get(path)).body.keys
    expect((await app.put(`${path}/${key}`, { level: 1 })).status).toBe(200)
    await app.delete(`${path}/${key}`)
    expect((await app.put(`${path}/another`, {})).status).toBe(201)
  })

  test('mini game types of an app, including restored ones', async () => {
    const app = await buildersOn(service).app()
    const types = '/api/v1/apps/mini-game-types'
    let count = 0
    const { taken, refused } = await together(6, () => app.post(types, { name: `Type ${++count}` }))
    expect([taken, refused]).toEqual([MOST, [expect.stringContaining('409 An app can have at most 3 mini game types')]])
    const [{ id }] = (await app.get(types)).body.miniGameTypes
    await app.delete(`${types}/${id}`)
    expect((await app.post(types, { name: 'Another' })).status).toBe(201)
    expect((await app.post(`${types}/${id}/restore`)).status).toBe(409)
  })

  test('hidden mini game types of an app: the oldest unplayed ones are deleted, the others stay', async () => {
    const app = await buildersOn(service).app()
    const types = '/api/v1/apps/mini-game-types'
    const create = () => app.post(types, { name: 'Again' })
    const makeHidden = async () => {
      const { id } = (await create()).body
      await app.delete(`${types}/${id}`)
      return id as string
    }
    const played = (await create()).body.id
    expect((await app.post('/api/v1/apps/game-sessions', { miniGameTypeId: played })).status).toBe(201)
    await app.delete(`${types}/${played}`)
    const [second, third] = [await makeHidden(), await makeHidden()]
    const refused = await create()
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringContaining('An app has at most 3 hidden mini game types: restore one'),
    ])
    await sqlOn(service)("update mini_game_types set hidden_at = hidden_at - interval '11 minutes' where app_id = $1", [
      app.id,
    ])
    const fourth = await makeHidden()
    const hidden = (await app.get(`${types}?hidden=true`)).body.miniGameTypes.map(({ id }: { id: string }) => id)
    expect(hidden.sort()).toEqual([played, third, fourth].sort())
    expect((await app.post(`${types}/${second}/restore`)).status).toBe(404)
    expect((await app.post(`${types}/${played}/restore`)).status).toBe(200)
  })

  test('open imports of a user: 429, because they end by themselves; the same file is its own import', async () => {
    const imports = importsOn(service, user)
    const zoneId = (await user.get('/api/zones')).body.zones[0].id
    const keys = await Promise.all(Array.from({ length: 6 }, (_, i) => imports.stored(`title,lat,lon\n${i},1,2\n`)))
    const left = [...keys]
    const { taken, refused } = await together(6, () => imports.send(zoneId, left.pop()!))
    expect([taken, refused]).toEqual([
      MOST,
      [expect.stringContaining('429 A user can have at most 3 imports in progress')],
    ])
    const running = (await user.get(`/api/gcp/zone/${zoneId}`)).body.csvFiles[0]
    const again = await user.post('/api/gcp/upload', { fileName: 'a.csv', fileUrl: running.fileUrl, zoneId })
    expect([again.status, again.body.id]).toEqual([200, running.id])
  })
})

test('ops may own any number of apps and zones', async () => {
  expect((await together(5, () => newApp(ops))).taken).toBe(5)
  expect((await together(5, () => ops.post('/api/zones', { title: 'A', boundary: square(1) }))).taken).toBe(5)
})

describe('limits and usage of quotas are shown', () => {
  test('to users, and to ops without a limit', async () => {
    const owner = await buildersOn(service).user()
    await newApp(owner)
    const { id: zoneId } = (await owner.post('/api/zones', { title: 'A', boundary: square(1) })).body
    const imports = importsOn(service, owner)
    await imports.send(zoneId, await imports.stored('title,lat,lon\nA,1,2\n'))
    const expected = [
      { name: 'apps', used: 1, most: MOST, isNearlyUsed: false, setting: 'CAIRN_QUOTA_APPS' },
      { name: 'zones', used: 1, most: MOST, isNearlyUsed: false, setting: 'CAIRN_QUOTA_ZONES' },
      { name: 'zonePositions', used: 5, most: 12, isNearlyUsed: false, setting: 'CAIRN_QUOTA_ZONE_POSITIONS' },
      { name: 'imports', used: 1, most: MOST, isNearlyUsed: false, setting: 'CAIRN_QUOTA_IMPORTS' },
    ]
    expect((await owner.get('/api/v1/user/quotas')).body).toEqual({ quotas: expected })
    const { quotas } = (await ops.get('/api/v1/user/quotas')).body
    expect(quotas.map(({ most }: { most: unknown }) => most)).toEqual([null, null, null, null])
  })

  test('of an app in its overview', async () => {
    const owner = await buildersOn(service).user()
    const app = await buildersOn(service).app({ owner })
    await owner.post(`/api/v1/apps/${app.id}/api-key/rotate`, { graceSeconds: 3600 })
    await owner.post(`/api/v1/apps/${app.id}/webhooks`, {
      url: 'http://127.0.0.1:9/hook',
      eventTypes: ['player.created'],
    })
    const { quotas } = (await owner.get(`/api/v1/apps/${app.id}/overview`)).body
    expect(quotas.map(({ name, used, most }: Record<string, unknown>) => [name, used, most])).toEqual([
      ['keys', 2, MOST],
      ['webhooks', 1, MOST],
      ['gameTypes', 0, MOST],
      ['hiddenGameTypes', 0, MOST],
      ['storageBytes', 0, 1000],
    ])
  })
})

test('the storage of an app is bounded over all its players; a value can always shrink, and deletions make room', async () => {
  const owner = await buildersOn(service).user()
  const app = await buildersOn(service).app({ owner })
  const pathOf = async () => `/api/v1/apps/players/${(await buildersOn(service).player(app)).id}/storage/a`
  const [one, two] = [await pathOf(), await pathOf()]
  const text = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
  const used = async () =>
    (await owner.get(`/api/v1/apps/${app.id}/overview`)).body.quotas.find(
      ({ name }: { name: string }) => name === 'storageBytes',
    )
  expect((await app.put(one, text(600))).status).toBe(201)
  expect(await app.put(two, text(401))).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('at most 1,000 bytes in total: delete keys') },
  })
  expect((await app.put(two, text(400))).status).toBe(201)
  expect(await used()).toEqual({
    name: 'storageBytes',
    used: 1000,
    most: 1000,
    isNearlyUsed: true,
    setting: 'CAIRN_QUOTA_STORAGE_BYTES',
  })
  expect((await app.put(two, text(401))).status).toBe(409)
  expect((await app.put(one, text(500))).status).toBe(200)
  expect((await app.put(two, text(500))).status).toBe(200)
  await app.delete(one.replace('/storage/a', ''))
  expect(await used()).toMatchObject({ used: 500 })
})
