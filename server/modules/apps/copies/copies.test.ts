import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appSteps, apps } from '../../../test/scoring/app-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService({ CAIRN_QUOTA_APPS: '3' })
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

const rules = { maxPerMinute: 6, requireMetadata: ['replay'] }
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** An app with a record of every kind that a team sets up. */
async function equipped() {
  const owner = await given.user()
  const app = await given.app({ owner, name: 'Trail', visibility: 'PUBLIC' })
  const hunt = { name: 'Hunt', minScore: 0, timeZone: 'Europe/Berlin', segments: ['country'], rules }
  const type = (await app.post(`${apps}/mini-game-types`, hunt)).body
  const gone = (await app.post(`${apps}/mini-game-types`, { name: 'Hidden' })).body
  await app.delete(`${apps}/mini-game-types/${gone.id}`)
  await given.player(app)
  return { owner, app, type }
}
const copyOf = async (owner: Caller, id: string, body?: object) => {
  const answer = await owner.post(`${apps}/${id}/copy`, body)
  expect(answer).toMatchObject({ status: 201 })
  const { apiKey } = (await owner.get(`${apps}/${answer.body.id}`)).body
  return { ...answer.body, caller: steps.withKey(apiKey) }
}

describe('the copy of an app', () => {
  test('is a PRIVATE app of the caller for the other environment, with a key of its own that the response masks', async () => {
    const { owner, app } = await equipped()
    const { status, body } = await owner.post(`${apps}/${app.id}/copy`)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Trail (development)', environment: 'development', visibility: 'PRIVATE', role: 'owner' },
    })
    expect(body.apiKey).toMatch(/_…$/)
    const { apiKey } = (await owner.get(`${apps}/${body.id}`)).body
    expect(apiKey).not.toBe(app.key)
    expect((await steps.withKey(apiKey).get(`${apps}/players`)).body.players).toEqual([])
    expect((await owner.get(`${apps}/${app.id}`)).body.environment).toBe('production')
    expect(await steps.audited(`${app.id}/${body.id}`, 'app.copied')).toMatchObject([{ actor: owner.id }])
    expect(await steps.audited(body.id, 'app.created')).toHaveLength(1)
  })

  test('has the visible types with their rules and segments under new IDs, ready for scores', async () => {
    const { owner, app, type } = await equipped()
    const { caller } = await copyOf(owner, app.id)
    const { miniGameTypes } = (await caller.get(`${apps}/mini-game-types`)).body
    const { id, createdAt, ...rest } = type
    expect(miniGameTypes).toEqual([{ ...rest, id: expect.not.stringMatching(id), createdAt: expect.any(String) }])

    const session = (await caller.post(`${apps}/game-sessions`, { miniGameTypeName: 'hunt' })).body.id
    const player = await given.player(caller)
    await caller.post(`${apps}/game-sessions/${session}/players`, { playerId: player.id })
    const score = `${apps}/game-sessions/${session}/players/${player.id}`
    expect((await caller.patch(score, { score: 5 })).body.state).toBe('held')
    expect((await caller.patch(score, { score: 6, metadata: { replay: 'a' } })).body).toMatchObject({ score: 6 })
    expect((await app.get(`${apps}/players?miniGameTypeId=${id}&includeScores=true`)).body.players).toHaveLength(1)
  })

  test('has the seasons that have not ended, of the copied types, and they count its scores alone', async () => {
    const { owner, app, type } = await equipped()
    const season = { name: 'Spring', miniGameTypeId: type.id, startsAt: inDays(-1), endsAt: inDays(30) }
    await app.post(`${apps}/seasons`, season)
    await app.post(`${apps}/seasons`, { name: 'Over', startsAt: inDays(-9), endsAt: inDays(1) })
    await steps.sql(`update seasons set ends_at = now() - interval '1 day' where app_id = $1 and name = 'Over'`, [
      app.id,
    ])
    const { caller } = await copyOf(owner, app.id)
    const { seasons } = (await caller.get(`${apps}/seasons`)).body
    const [copied] = (await caller.get(`${apps}/mini-game-types`)).body.miniGameTypes
    expect(seasons).toMatchObject([{ ...season, miniGameTypeId: copied.id, state: 'running', number: 1 }])
    const board = (await caller.get(`${apps}/leaderboards/mini-game?season=${seasons[0].id}`)).body
    expect(board.leaderboard).toEqual([])
  })

  test('goes on with a series of seasons, running and upcoming', async () => {
    const { owner, app } = await equipped()
    const repeat = { every: 'week', timeZone: 'Europe/Berlin' }
    await app.post(`${apps}/seasons`, { name: 'Cup', startsAt: inDays(-1), repeat })
    const { caller } = await copyOf(owner, app.id)
    const shape = async (one: Caller) =>
      (await one.get(`${apps}/seasons`)).body.seasons.map(
        ({ number, startsAt, endsAt, state }: Record<string, unknown>) => ({ number, startsAt, endsAt, state }),
      )
    expect(await shape(caller)).toEqual(await shape(app))
    expect(await shape(caller)).toHaveLength(2)
  })

  test('has the webhooks, disabled and with new secrets', async () => {
    const { owner, app } = await equipped()
    const hook = { url: 'https://hooks.example.org/cairn', eventTypes: ['score.updated'], description: 'Bot' }
    const made = (await owner.post(`${apps}/${app.id}/webhooks`, hook)).body
    const copy = await copyOf(owner, app.id)
    const { webhooks } = (await owner.get(`${apps}/${copy.id}/webhooks`)).body
    expect(webhooks).toMatchObject([{ ...hook, enabled: false, disabledReason: null }])
    const { secret } = (await owner.get(`${apps}/${copy.id}/webhooks/${webhooks[0].id}/secret`)).body
    expect(secret).toMatch(/^whsec_/)
    expect(secret).not.toBe(made.secret)
  })

  test('has the fences, whose awards name its own types, and leaves out those around private pins of others', async () => {
    const { owner, app, type } = await equipped()
    const admin = await given.user()
    await owner.post(`${apps}/${app.id}/members`, { userId: admin.id, role: 'admin' })
    const zone = (await owner.post('/api/zones', { title: 'Park' })).body.id
    const pinBody = { title: 'Pin', latitude: 1, longitude: 2, contentType: 'GLB', visibility: 'private' }
    const pin = (await owner.post('/api/location/pins', pinBody)).body.id
    const checkIn = { award: { points: 3, miniGameTypeId: type.id } }
    expect((await app.post(`${apps}/fences`, { name: 'Park', zoneId: zone, checkIn })).status).toBe(201)
    expect((await app.post(`${apps}/fences`, { name: 'Well', pinId: pin, radius: 20 })).status).toBe(201)

    const fencesOf = async (one: Caller) => (await one.get(`${apps}/fences`)).body.fences
    const own = (await copyOf(owner, app.id)).caller
    const [copied] = (await own.get(`${apps}/mini-game-types`)).body.miniGameTypes
    expect(await fencesOf(own)).toMatchObject([
      { name: 'Park', zoneId: zone, checkIn: { award: { points: 3, miniGameTypeId: copied.id } } },
      { name: 'Well', pinId: pin, radius: 20, checkIn: null },
    ])
    expect(await fencesOf((await copyOf(admin, app.id)).caller)).toMatchObject([{ name: 'Park' }])
  })

  test('has the current configuration as its first version', async () => {
    const { owner, app } = await equipped()
    await app.put(`${apps}/config`, { event: 'winter' })
    await app.put(`${apps}/config`, { event: 'spring' })
    const { caller } = await copyOf(owner, app.id)
    expect((await caller.get(`${apps}/config`)).body).toEqual({ event: 'spring' })
    expect((await caller.get(`${apps}/config/versions`)).body.versions).toMatchObject([{ version: 1 }])
  })
})

describe('a request to copy', () => {
  test('names the copy and its environment', async () => {
    const { owner, app } = await equipped()
    const body = { name: 'Staging', environment: 'production' }
    expect(await copyOf(owner, app.id, body)).toMatchObject(body)
  })

  test('with the longest name gets one that fits', async () => {
    const owner = await given.user()
    const app = await given.app({ owner, name: `${'x'.repeat(85)}🐢${'x'.repeat(13)}` })
    expect((await copyOf(owner, app.id)).name).toBe(`${'x'.repeat(85)} (development)`)
  })

  test('makes one app, however often it is repeated with its Idempotency-Key', async () => {
    const { owner, app } = await equipped()
    const again = service.as({ ...owner.headers, 'idempotency-key': 'one copy' })
    const first = await again.post(`${apps}/${app.id}/copy`)
    expect(await again.post(`${apps}/${app.id}/copy`)).toMatchObject({ status: 201, body: first.body })
    expect((await owner.get(apps)).body.apps).toHaveLength(2)
  })

  test('counts against the quota of the caller, and a refused one leaves nothing', async () => {
    const { owner, app } = await equipped()
    await copyOf(owner, app.id)
    await copyOf(owner, app.id)
    expect(await owner.post(`${apps}/${app.id}/copy`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('at most 3 apps') },
    })
    expect((await owner.get(apps)).body.apps).toHaveLength(3)
  })

  test('is for owners and admins: 403 for a developer, 404 for a stranger', async () => {
    const { owner, app } = await equipped()
    const [developer, stranger] = [await given.user(), await given.user()]
    await owner.patch(`${apps}/${app.id}`, { visibility: 'PRIVATE' })
    await owner.post(`${apps}/${app.id}/members`, { userId: developer.id, role: 'developer' })
    expect((await developer.post(`${apps}/${app.id}/copy`)).status).toBe(403)
    expect((await stranger.post(`${apps}/${app.id}/copy`)).status).toBe(404)
  })
})

test('the environment of an app is production unless it says otherwise, and can be changed', async () => {
  const owner = await given.user()
  const { id } = await given.app({ owner })
  expect((await owner.get(`${apps}/${id}`)).body.environment).toBe('production')
  expect((await owner.patch(`${apps}/${id}`, { environment: 'development' })).body.environment).toBe('development')
  expect((await owner.patch(`${apps}/${id}`, { environment: 'test' })).status).toBe(400)
})
