import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { allPages, entriesOf, scoresAndRanks } from '../../../test/scoring/board-steps.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

/** The time of the database, which is later than all writes so far; nothing else happens in its millisecond. */
async function moment(): Promise<string> {
  const [row] = await sql<{ at: string }>('select clock_timestamp()::text as at, pg_sleep(0.003)')
  return new Date(row!.at).toISOString()
}
const atMoment = (at: string, query = '') => `leaderboards/mini-game?at=${at}${query}`
const rankAt = (app: Caller, id: string, at: string) => app.get(appUrl(`players/${id}/global-ranking?at=${at}`))

describe('a board at a past time', () => {
  test('has the scores, sessions and ranks that it had, after better, worse and removed ones', async () => {
    const app = await given.app()
    const [one, other] = [await makeSession(app), await makeSession(app)]
    const before = await moment()
    const players = await playSession(given, app, one.id, [30, 20, 10])
    const [a, b, c] = players.map(({ id }) => id) as [string, string, string]
    const first = await moment()
    const was = (await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard
    await setScore(app, one.id, a, 5)
    await app.post(appUrl(`game-sessions/${other.id}/players`), { playerId: b })
    await setScore(app, other.id, b, 40)
    const second = await moment()
    await app.delete(appUrl(`game-sessions/${one.id}/players/${c}`))
    await app.delete(appUrl(`game-sessions/${other.id}`))
    expect(await entriesOf(app, atMoment(before))).toEqual([])
    expect(await entriesOf(app, atMoment(first))).toEqual(was)
    expect(scoresAndRanks(await entriesOf(app, atMoment(second)))).toEqual([
      [40, 1],
      [10, 2],
      [5, 3],
    ])
    expect((await entriesOf(app, atMoment(second)))[0]).toMatchObject({ playerId: b, gameSessionId: other.id })
    expect(await rankAt(app, a, first)).toMatchObject({ status: 200, body: { highestScore: 30, ranking: 1 } })
    expect(await rankAt(app, a, second)).toMatchObject({ status: 200, body: { highestScore: 5, ranking: 3 } })
    expect(await rankAt(app, a, before)).toMatchObject({ status: 404 })
  })

  test('shows the metadata of that time', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [undefined])
    const write = (body: object) => app.patch(appUrl(`game-sessions/${id}/players/${player!.id}`), body)
    await write({ score: 1, metadata: { n: 1 } })
    const at = await moment()
    await write({ score: 1, metadata: { n: 2 } })
    expect(await entriesOf(app, atMoment(at))).toMatchObject([{ metadata: { n: 1 } }])
    await write({ score: 1 })
    expect((await entriesOf(app, atMoment(await moment())))[0]).not.toHaveProperty('metadata')
  })

  test('counts a write from the millisecond that its answer names', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [undefined])
    const path = appUrl(`game-sessions/${id}/players/${player!.id}`)
    const { updatedAt } = (await app.patch(path, { score: 7 })).body
    const earlier = new Date(Date.parse(updatedAt) - 1).toISOString()
    await setScore(app, id, player!.id, 3)
    expect(await entriesOf(app, atMoment(earlier))).toEqual([])
    expect(await entriesOf(app, atMoment(new Date(Date.parse(updatedAt)).toISOString()))).toHaveLength(1)
  })

  test('has pages, places around a player, and friends', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Race', { sortOrder: 'asc' })
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    const players = await playSession(given, app, id, [1, 2, 2, 4, 5, 6, 7])
    const at = await moment()
    for (const [i, player] of players.entries()) await setScore(app, id, player.id, i % 2 ? 0 : 100)
    const path = atMoment(at, `&miniGameTypeId=${type.id}`)
    const all = await entriesOf(app, path)
    expect(all.map(({ ranking }) => ranking)).toEqual([1, 2, 2, 4, 5, 6, 7])
    expect(await allPages(app, `${path}&limit=2`)).toEqual(all)
    expect(await entriesOf(app, `${path}&limit=3&aroundPlayerId=${players[4]!.id}`)).toEqual(all.slice(3, 6))
    expect(await entriesOf(app, `${path}&limit=3&aroundPlayerId=${players[6]!.id}`)).toEqual(all.slice(4, 7))
    const friends = await app.get(appUrl(`${path}&playerIds=${players[5]!.id},${players[1]!.id}`))
    expect(scoresAndRanks(friends.body.leaderboard)).toEqual([
      [2, 1],
      [6, 2],
    ])
    expect(friends.headers.get('x-total-count')).toBe('2')
    expect((await app.get(appUrl(`${path}&limit=2`))).headers.get('x-total-count')).toBe('7')
    expect(await app.get(appUrl(path))).toMatchObject({ body: { at: new Date(at).toISOString() } })
  })

  test('has no player who was deleted since', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [gone, stays] = await playSession(given, app, id, [30, 20])
    const at = await moment()
    await setScore(app, id, gone!.id, 31)
    await app.delete(appUrl(`players/${gone!.id}`))
    expect(await entriesOf(app, atMoment(at))).toMatchObject([{ playerId: stays!.id, ranking: 1 }])
    expect(await sql('select from score_history where player_id = $1', [gone!.id])).toHaveLength(0)
  })

  test('is refused with 400 before the history begins, in the future, and with a window', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt', { historyDays: 2 })
    const days = (number: number) => new Date(Date.now() - number * 86_400_000).toISOString()
    const status = async (query: string) => (await app.get(appUrl(`leaderboards/mini-game?${query}`))).status
    const ofType = `miniGameTypeId=${type.id}&at=`
    expect(await status(`${ofType}${days(1.9)}`)).toBe(200)
    expect(await app.get(appUrl(`leaderboards/mini-game?${ofType}${days(2.1)}`))).toMatchObject({
      status: 400,
      body: { error: [{ path: ['at'], message: expect.stringMatching(/which begins at \d{4}-/) }] },
    })
    expect(await status(`${ofType}${days(-1)}`)).toBe(400)
    expect(await status(`at=${days(1)}&window=day`)).toBe(400)
    expect(await status(`at=${days(399)}`)).toBe(200)
    expect(await status(`at=${days(401)}`)).toBe(400)
  })

  test('is refused where the history was not kept, or for fewer days', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt', { historyDays: 0 })
    const set = (historyDays: number) => app.patch(appUrl(`mini-game-types/${type.id}`), { historyDays })
    const at = async (ago: number) =>
      (await app.get(appUrl(atMoment(new Date(Date.now() - ago).toISOString(), `&miniGameTypeId=${type.id}`)))).status
    expect(await at(1000)).toBe(400)
    await set(10)
    expect(await at(1)).toBe(400)
    await sql("update score_history_starts set since = clock_timestamp() - interval '3 days' where app_id = $1", [
      app.id,
    ])
    expect(await at(2 * 86_400_000)).toBe(200)
    await set(1)
    await set(10)
    expect(await at(2 * 86_400_000)).toBe(400)
    expect(await at(0.9 * 86_400_000)).toBe(200)
  })

  test('counts as one request for each 1,000 players', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await sql(
      `with p as (insert into players (app_id, id, display_name, name_key)
          select $1, gen_random_uuid(), 'Many ' || n, 'many ' || n from generate_series(1, 2001) n returning app_id, id),
        s as (insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
          select app_id, $2, id, '00000000-0000-0000-0000-000000000000', 1, now() from p returning *)
        insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
        select app_id, type_key, player_id, score, score, session_id, scored_at from s`,
      [app.id, id],
    )
    const at = await moment()
    const left = async (path: string) =>
      Number(/r=(\d+)/.exec((await app.get(appUrl(path))).headers.get('ratelimit')!)![1])
    const cost = async (path: string) => {
      const before = await left('mini-game-types')
      await app.get(appUrl(path))
      return before - (await left('mini-game-types')) - 1
    }
    expect(await cost('leaderboards/mini-game?limit=1')).toBe(1)
    expect(await cost(atMoment(at, '&limit=1'))).toBe(3)
    expect(await cost(`players/${(await given.player(app)).id}/global-ranking?at=${at}`)).toBe(3)
  })

  test('of a season that has ended is its board; of a running one it is refused', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [3])
    const body = { name: 'Spring', startsAt: new Date(Date.now() - 1e6).toISOString() }
    const season = (await app.post(appUrl('seasons'), body)).body.id
    const path = `&season=${season}`
    expect(await app.get(appUrl(atMoment(await moment(), path)))).toMatchObject({ status: 400 })
    await sql("update seasons set ends_at = clock_timestamp() - interval '1 second' where id = $1", [season])
    expect(await entriesOf(app, atMoment(await moment(), path))).toMatchObject([{ playerScore: 3, ranking: 1 }])
  })
})
