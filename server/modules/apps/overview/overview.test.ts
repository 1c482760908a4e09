import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appSteps, apps } from '../../../test/scoring/app-steps.ts'
import { appUrl, makeSession, makeType, playSession, unknownId } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

/** An app's quotas and how much of each is used. */
const quotas = (used: Record<string, number>) =>
  [
    { name: 'keys', most: 20, setting: 'CAIRN_QUOTA_KEYS' },
    { name: 'webhooks', most: 20, setting: 'CAIRN_QUOTA_WEBHOOKS' },
    { name: 'gameTypes', most: 1000, setting: 'CAIRN_QUOTA_GAME_TYPES' },
    { name: 'hiddenGameTypes', most: 1000, setting: 'CAIRN_QUOTA_GAME_TYPES' },
    { name: 'storageBytes', most: 2 ** 30, setting: 'CAIRN_QUOTA_STORAGE_BYTES' },
  ].map((quota) => ({ ...quota, used: used[quota.name] ?? 0, isNearlyUsed: false }))

describe('an app at a glance', () => {
  test('counts players and those of the last seven days, sessions and those not completed, types without hidden ones', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    expect((await owner.get(appUrl(`${app.id}/overview`))).body).toEqual({
      players: 0,
      newPlayersThisWeek: 0,
      gameSessions: 0,
      runningGameSessions: 0,
      miniGameTypes: 0,
      topScore: null,
      quotas: quotas({ keys: 1 }),
    })
    const old = await given.player(app)
    await given.player(app)
    await steps.sql("update players set created_at = now() - interval '8 days' where id = $1", [old.id])
    for (const status of ['ACTIVE', 'PAUSED', 'COMPLETED', 'COMPLETED']) await makeSession(app, { status })
    const [, hidden] = [await makeType(app, 'Dive'), await makeType(app, 'Run')]
    await app.delete(appUrl(`mini-game-types/${hidden.id}`))
    expect((await owner.get(appUrl(`${app.id}/overview`))).body).toEqual({
      players: 2,
      newPlayersThisWeek: 1,
      gameSessions: 4,
      runningGameSessions: 2,
      miniGameTypes: 1,
      topScore: null,
      quotas: quotas({ keys: 1, gameTypes: 1, hiddenGameTypes: 1 }),
    })
  })

  test('counts new players to 10,000 and no further; so it does scores, where an app is to be deleted', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    const { id: session } = await makeSession(app)
    const add = (from: number, to: number) =>
      steps.sql(
        `with made as (
           insert into players (app_id, id, display_name, name_key)
           select $1, gen_random_uuid(), 'P' || i, 'p' || i from generate_series($3::int, $4) i returning id),
         best as (
           insert into player_best (app_id, type_key, player_id)
           select $1, '00000000-0000-0000-0000-000000000000', id from made)
         insert into session_players (app_id, session_id, player_id, type_key, scored_at)
         select $1, $2, id, '00000000-0000-0000-0000-000000000000', now() from made`,
        [app.id, session, from, to],
      )
    const counted = async () => ({
      ...(await owner.get(appUrl(`${app.id}/overview`))).body,
      ...(await owner.get(appUrl(`${app.id}/contents`))).body,
    })
    const warned = async () => (await owner.delete(appUrl(app.id))).body.error
    await add(1, 9999)
    expect(await counted()).toMatchObject({ players: 9999, newPlayersThisWeek: 9999, scores: 9999 })
    expect(await warned()).toContain(' 9999 players, 1 game session, 9999 scores,')
    await add(10_000, 10_002)
    expect(await counted()).toMatchObject({ players: 10_002, newPlayersThisWeek: 10_000, scores: 10_000 })
    expect(await warned()).toContain(' 10002 players, 1 game session, at least 10000 scores,')
  })

  test('names the highest score where higher is better, else the lowest, and who had it first', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    const top = async () => (await owner.get(appUrl(`${app.id}/overview`))).body.topScore
    const [race, dive] = [await makeType(app, 'Race', { sortOrder: 'asc' }), await makeType(app, 'Dive')]
    const [, fast] = await playSession(given, app, (await makeSession(app, { miniGameTypeId: race.id })).id, [
      900,
      80,
      undefined,
    ])
    const named = (player: { id: string; displayName: string } | undefined) => ({
      playerId: player!.id,
      displayName: player!.displayName,
    })
    expect(await top()).toEqual({ score: 80, ...named(fast), miniGameTypeId: race.id, miniGameTypeName: 'Race' })
    const [deep] = await playSession(given, app, (await makeSession(app, { miniGameTypeId: dive.id })).id, [-700, -700])
    expect(await top()).toEqual({ score: -700, ...named(deep), miniGameTypeId: dive.id, miniGameTypeName: 'Dive' })
    const [best] = await playSession(given, app, (await makeSession(app)).id, [-8])
    expect(await top()).toEqual({ score: -8, ...named(best), miniGameTypeId: null, miniGameTypeName: null })
    await app.delete(appUrl(`players/${best!.id}`))
    expect((await top()).score).toBe(-700)
  })
})

describe('the working keys of an app', () => {
  test('are listed masked, newest first, with when they end and how much they are used; ended ones are not', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    const rotate = async (graceSeconds: number) =>
      (await owner.post(`${apps}/${app.id}/api-key/rotate`, { graceSeconds })).body.apiKey as string
    const masked = (key: string) => `${key.slice(0, 15)}…`
    const named = (key: string) => ({
      id: key.slice(6, 14),
      prefix: masked(key),
      kind: 'server',
      name: 'default',
    })
    const list = async () => (await owner.get(`${apps}/${app.id}/api-keys`)).body.apiKeys
    const moment = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await list()).toEqual([
      { ...named(app.key), createdAt: moment, endsAt: null, lastUsedAt: null, isCurrent: true, callsLastHour: 0 },
    ])
    for (let i = 0; i < 3; i++) await app.get(`${apps}/players`)
    await list() // which writes the counts: later a rotation may hold the rows
    const second = await rotate(3600)
    await steps.withKey(second).get(`${apps}/players`)
    await list()
    const third = await rotate(3600)
    const keys = await list()
    expect(keys).toEqual([
      { ...named(third), createdAt: moment, endsAt: null, lastUsedAt: null, isCurrent: true, callsLastHour: 0 },
      {
        ...named(second),
        createdAt: moment,
        endsAt: moment,
        lastUsedAt: moment,
        isCurrent: false,
        callsLastHour: 1,
      },
      {
        ...named(app.key),
        createdAt: moment,
        endsAt: moment,
        lastUsedAt: moment,
        isCurrent: false,
        callsLastHour: 3,
      },
    ])
    const fourth = await rotate(0)
    expect((await list()).map(({ prefix }: { prefix: string }) => prefix)).toEqual([masked(fourth)])
  })

  test('count as used by calls of the last 60 minutes, not of whole hours', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    /** With a call in every minute of the two hours before this one: how many of them are of the last 60 minutes. */
    const left = async () =>
      (
        await steps.sql<{ hour: string; calls: number }>(
          "select date_trunc('hour', now())::text as hour, (60 - extract(minute from now()))::int as calls",
        )
      )[0]!
    const readOverview = async () => {
      await steps.sql('delete from usage_hours where app_id = $1', [app.id])
      const before = await left()
      await steps.sql(
        `insert into usage_hours
         select $1, $2::timestamptz - make_interval(hours => n), $3, 60, 0, 0, 0, array_fill(1, array[60]), array_fill(0, array[22])
           from generate_series(1, 2) n`,
        [app.id, before.hour, app.key.slice(6, 14)],
      )
      const [{ callsLastHour }] = (await owner.get(`${apps}/${app.id}/api-keys`)).body.apiKeys
      return { callsLastHour, before, after: await left() }
    }
    let { callsLastHour, before, after } = await readOverview()
    while (before.hour !== after.hour) ({ callsLastHour, before, after } = await readOverview())
    expect([before.calls, after.calls]).toContain(callsLastHour)
  })

  test('are for the owner alone', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    const open = await given.app({ visibility: 'PUBLIC' })
    for (const other of [await given.user(), await given.user({ roles: ['admin'] })]) {
      expect((await other.get(`${apps}/${app.id}/api-keys`)).status).toBe(404)
      expect((await other.get(`${apps}/${open.id}/api-keys`)).status).toBe(403)
    }
    expect((await owner.get(`${apps}/${unknownId}/api-keys`)).status).toBe(404)
  })
})

describe('the list of everybody’s apps', () => {
  test('shows ops and admins each app with its owner and a masked key, page by page; to others it is 403', async () => {
    const owner = await given.user()
    const closed = await given.app({ owner })
    for (const roles of [['ops'], ['admin']]) {
      const reader = await given.user({ roles })
      const { body, headers } = await reader.get(`${apps}?all=true`)
      const found = body.apps.find(({ id }: { id: string }) => id === closed.id)
      expect(found).toMatchObject({ ownerId: owner.id, apiKey: `${closed.key.slice(0, 15)}…`, visibility: 'PRIVATE' })
      expect(headers.get('x-total-count')).toBe(String(body.apps.length))
      const first = await reader.get(`${apps}?all=true&limit=1`)
      expect(first.body.apps).toHaveLength(1)
      expect(first.headers.get('link')).toContain('all=true')
      expect((await reader.get(apps)).body).toEqual({ apps: [] })
    }
    expect((await owner.get(`${apps}?all=true`)).status).toBe(403)
    const own = (await owner.get(`${apps}?all=false`)).body.apps
    expect(own.map(({ id }: { id: string }) => id)).toEqual([closed.id])
    expect(own[0]).not.toHaveProperty('ownerId')
  })
})
