import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appUrl, unknownId } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startSecondService, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService({ CAIRN_LIMIT_KEY_PER_MINUTE: '30' })
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const usageOf = async (owner: Caller, appId: string, query = '') => {
  const { status, body } = await owner.get(appUrl(`${appId}/usage${query}`))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
const ownedApp = async (fields: { visibility?: string } = {}) => {
  const owner = await given.user()
  return { owner, app: await given.app({ owner, ...fields }) }
}
type Bucket = { at: string; calls: number; refused: number; limited: number; failed: number }
type Refusal = { method: string; route: string; status: number; reason: string; times: number; lastAt: string }
const sum = (buckets: Bucket[], name: keyof Omit<Bucket, 'at'>) =>
  buckets.reduce((total, bucket) => total + bucket[name], 0)
/** Without what time makes of it. */
const causes = (refusals: Refusal[]) => refusals.map(({ lastAt: _lastAt, ...cause }) => cause)

describe('the usage of an app', () => {
  test('counts every request with its key, and those refused, limited and failed apart', async () => {
    const { owner, app } = await ownedApp()
    expect(await usageOf(owner, app.id)).toMatchObject({
      totals: { calls: 0, refused: 0, limited: 0, failed: 0 },
      medianMs: null,
      refusals: [],
      limitPerMinute: 30,
      busiestMinute: 0,
    })
    const statuses: number[] = []
    const ask = async (path: string) => statuses.push((await app.get(appUrl(path))).status)
    for (const path of ['players', 'players', 'game-sessions', `players/${unknownId}`, 'players?limit=0'])
      await ask(path)
    await sql('alter table mini_game_types rename to mini_game_types_away')
    await ask('mini-game-types')
    await sql('alter table mini_game_types_away rename to mini_game_types')
    expect(statuses).toEqual([200, 200, 200, 404, 400, 500])
    while (statuses.filter((status) => status === 429).length < 3) await ask('players')
    // Requests without a key, or with a wrong one, count for no app.
    await service.anonymous.get(appUrl('players'))
    await service.as({ 'x-app-api-key': `${app.key}0` }).get(appUrl('players'))

    const limited = statuses.filter((status) => status === 429).length
    const usage = await usageOf(owner, app.id)
    expect(usage.totals).toEqual({ calls: statuses.length, refused: 2, limited, failed: 1 })
    for (const [name, count] of Object.entries(usage.totals)) expect(sum(usage.buckets, name as 'calls')).toBe(count)
    expect(usage.medianMs).toBeGreaterThan(0)
    expect(usage.busiestMinute).toBeGreaterThan(0)
    expect(usage.busiestMinute).toBeLessThanOrEqual(statuses.length)
  })

  test('counts a read that needs no credential with the key it carries', async () => {
    const { owner, app } = await ownedApp()
    for (const path of ['/api/zones', '/ogc/collections', '/api/zones/1']) await app.get(path)
    await service.as({ 'x-app-api-key': `${app.key}0` }).get('/api/zones')
    expect((await usageOf(owner, app.id)).totals).toEqual({ calls: 3, refused: 1, limited: 0, failed: 0 })
  })

  test('shows refusals by cause: routes without ids, reasons without what was sent, the most frequent first', async () => {
    const { owner, app } = await ownedApp()
    const taken = [await given.player(app, 'kite.runner'), await given.player(app, 'brass "the" compass')]
    for (const { displayName } of taken) await app.post(appUrl('players'), { displayName })
    for (const id of [unknownId, '0193a7c0-0000-7000-8000-000000000001', 'not-an-id'])
      await app.get(appUrl(`players/${id}`))
    await app.post(appUrl('players'), { displayName: '' })
    const secret = 'hunter2'
    await service.request('POST', appUrl('players'), `{"displayName": "x", ${secret}: "${secret}"}`, {
      ...app.headers,
      'content-type': 'application/json',
    })
    const { refusals } = await usageOf(owner, app.id)
    const players = { method: 'POST', route: '/api/v1/apps/players' }
    expect(causes(refusals).slice(0, 2)).toEqual([
      { method: 'GET', route: '/api/v1/apps/players/{id}', status: 404, reason: 'Player not found', times: 3 },
      { ...players, status: 409, reason: 'This app already has a player named "…"', times: 2 },
    ])
    expect(causes(refusals).slice(2)).toEqual(
      expect.arrayContaining([
        { ...players, status: 400, reason: 'The body is not valid JSON', times: 1 },
        { ...players, status: 400, reason: expect.stringMatching(/^displayName: /), times: 1 },
      ]),
    )
    expect(refusals).toHaveLength(4)
    for (const shown of ['kite', 'brass', secret, unknownId]) expect(JSON.stringify(refusals)).not.toContain(shown)
    expect(
      (await sql<{ reason: string }>('select reason from usage_refusals')).map(({ reason }) => reason).join(),
    ).not.toContain(secret)
  })

  test('has every hour of a day, and every day of 7, 30 and 90, those without a call too; other numbers are 400', async () => {
    const { owner, app } = await ownedApp()
    const { apiKey } = (await owner.get(appUrl(app.id))).body
    const keyId = apiKey.slice(6, 14)
    const add = (hour: string, calls: number) =>
      sql(
        `insert into usage_hours values ($1, $2, $3, $4::int, 0, 0, 0, array_fill(0, array[60]) , array_fill(0, array[22]))`,
        [app.id, hour, keyId, calls],
      )
    for (const [query, count, ms, step] of [
      ['', 24, 3_600_000, 'hour'],
      ['?days=1', 24, 3_600_000, 'hour'],
      ['?days=7', 7, 86_400_000, 'day'],
      ['?days=30', 30, 86_400_000, 'day'],
      ['?days=90', 90, 86_400_000, 'day'],
    ] as const) {
      const usage = await usageOf(owner, app.id, query)
      const starts = usage.buckets.map(({ at }: Bucket) => Date.parse(at))
      expect({ count: starts.length, step: usage.step, from: usage.from }).toEqual({
        count,
        step,
        from: usage.buckets[0].at,
      })
      for (const [n, start] of starts.entries()) expect(start - starts[0]!).toBe(n * ms)
      expect(starts[0]! % ms).toBe(0)
      expect(Date.parse(usage.to) - starts.at(-1)!).toBeLessThan(ms)
      expect(Date.parse(usage.to) - starts.at(-1)!).toBeGreaterThanOrEqual(0)
    }
    const week = await usageOf(owner, app.id, '?days=7')
    const day = week.buckets[3].at
    await add(day, 5)
    await add(day.replace('T00:', 'T23:'), 7)
    const before = new Date(Date.parse(week.from) - 3_600_000).toISOString()
    await add(before, 100)
    const after = await usageOf(owner, app.id, '?days=30')
    expect(after.buckets.find(({ at }: Bucket) => at === day).calls).toBe(12)
    expect(sum(after.buckets, 'calls')).toBe(112)
    expect((await usageOf(owner, app.id, '?days=7')).buckets.find(({ at }: Bucket) => at === day).calls).toBe(12)
    for (const days of ['0', '2', '365', 'week', ''])
      expect(await owner.get(appUrl(`${app.id}/usage?days=${days}`)), days).toMatchObject({
        status: 400,
        body: { error: [{ path: ['days'] }] },
      })
  })

  test('has the totals of the same time before, and none for 90 days, before which nothing is kept', async () => {
    const { owner, app } = await ownedApp()
    const { from, to } = await usageOf(owner, app.id, '?days=7')
    let keys = 0
    // Each with a key of its own: in the last hour of a day, two of these hours are the same.
    const add = (ms: number, calls: number) =>
      sql(
        `insert into usage_hours values ($1, date_trunc('hour', to_timestamp($2 / 1000.0)), $3, $4::int, 2, 0, 1, array_fill(0, array[60]) , array_fill(0, array[22]))`,
        [app.id, ms, `key-${++keys}`, calls],
      )
    const week = 7 * 86_400_000
    await add(Date.parse(from), 1000)
    // Only as much of the day as of today.
    await add(Date.parse(to) - week - 3_600_000, 10)
    await add(Date.parse(to) - week + 3_600_000, 1000)
    await add(Date.parse(from) - week, 20)
    await add(Date.parse(from) - week - 3_600_000, 1000)
    expect((await usageOf(owner, app.id, '?days=7')).previous).toEqual({ calls: 30, refused: 4, limited: 0, failed: 2 })
    expect((await usageOf(owner, app.id, '?days=90')).previous).toBeNull()
  })

  test('says what the busiest minute had, of all keys together', async () => {
    const { owner, app } = await ownedApp()
    const hour = (await usageOf(owner, app.id)).buckets.at(-3).at
    for (const [key, minutes] of [
      ['AAAAAAAA', '{3,9}'],
      ['BBBBBBBB', '{8,1}'],
    ])
      await sql(`insert into usage_hours values ($1, $2, $3, 12, 0, 0, 0, $4, array_fill(0, array[22]))`, [
        app.id,
        hour,
        key,
        minutes,
      ])
    expect((await usageOf(owner, app.id)).busiestMinute).toBe(11)
  })

  test('of several processes is added up, and one that ends in order loses nothing', { tags: ['long'] }, async () => {
    const { owner, app } = await ownedApp()
    const other = await startSecondService(service)
    const there = other.as(app.headers)
    for (let i = 0; i < 3; i++) await app.get(appUrl('players'))
    for (let i = 0; i < 4; i++) await there.get(appUrl('players'))
    await there.get(appUrl(`players/${unknownId}`))
    await app.get(appUrl(`players/${unknownId}`))
    await other.stop()
    const usage = await usageOf(owner, app.id)
    expect(usage.totals).toEqual({ calls: 9, refused: 2, limited: 0, failed: 0 })
    expect(causes(usage.refusals)).toEqual([
      { method: 'GET', route: '/api/v1/apps/players/{id}', status: 404, reason: 'Player not found', times: 2 },
    ])
    const [row] = await sql<{ minutes: number[]; latencies: number[] }>(
      'select minutes, latencies from usage_hours where app_id = $1',
      [app.id],
    )
    expect(row!.minutes.length).toBe(60)
    expect(row!.latencies.length).toBe(22)
  })

  test('of an app that is deleted goes with it, and takes no other app’s counts along', {
    tags: ['long'],
  }, async () => {
    const [one, other] = [await ownedApp(), await ownedApp()]
    await one.app.get(appUrl('players'))
    await usageOf(one.owner, one.app.id)
    await one.app.get(appUrl(`players/${unknownId}`))
    await other.app.get(appUrl('players'))
    expect((await one.owner.delete(appUrl(`${one.app.id}?name=Trail`))).status).toBe(204)
    const left = () =>
      sql('select from usage_hours where app_id = $1 union all select from apps where id = $1', [one.app.id])
    await expect.poll(async () => (await left()).length).toBe(0)
    expect((await usageOf(other.owner, other.app.id)).totals.calls).toBe(1)
  })

  test('distinguishes at most 200 causes a day and counts the rest as other', async () => {
    const { owner, app } = await ownedApp()
    await sql(
      `insert into usage_refusals
       select $1, (now() at time zone 'utc')::date + d, 'GET', '/x', 400, 'cause ' || n, 1000, now() - interval '1 minute'
         from generate_series(0, 1) d, generate_series(1, 199) n`,
      [app.id],
    )
    for (let i = 0; i < 2; i++) await app.get(appUrl(`players/${unknownId}`))
    await app.get(appUrl(`game-sessions/${unknownId}`))
    await usageOf(owner, app.id)
    await app.get(appUrl(`game-sessions/${unknownId}`))
    await app.get(appUrl(`players/${unknownId}`))
    await usageOf(owner, app.id)
    expect(
      await sql('select route, reason, times from usage_refusals where app_id = $1 and times <> 1000 order by route', [
        app.id,
      ]),
    ).toEqual([
      { route: '/api/v1/apps/game-sessions/{id}', reason: 'other', times: 2 },
      { route: '/api/v1/apps/players/{id}', reason: 'Player not found', times: 3 },
    ])
  })

  test('is for the owner, also in a session from a code, and for ops and admins only', async () => {
    const { owner, app } = await ownedApp()
    const open = (await ownedApp({ visibility: 'PUBLIC' })).app
    const [stranger, ops, admin] = [
      await given.user(),
      await given.user({ roles: ['ops'] }),
      await given.user({ roles: ['admin'] }),
    ]
    for (const path of ['usage', 'overview']) {
      for (const reader of [owner, ops, admin, await limitedSession(service, owner)])
        expect((await reader.get(appUrl(`${app.id}/${path}`))).status).toBe(200)
      expect(await stranger.get(appUrl(`${app.id}/${path}`))).toMatchObject({
        status: 404,
        body: { error: 'App not found' },
      })
      expect((await stranger.get(appUrl(`${open.id}/${path}`))).status).toBe(403)
      for (const reader of [stranger, admin])
        expect((await reader.get(appUrl(`${unknownId}/${path}`))).status).toBe(404)
      expect((await app.get(appUrl(`${app.id}/${path}`))).status).toBe(401)
    }
  })
})
