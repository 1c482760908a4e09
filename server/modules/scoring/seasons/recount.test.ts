import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { entriesOf, scoresAndRanks } from '../../../test/scoring/board-steps.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'
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

/** A season of which the end lies some seconds back, and players with scores in it; what follows is after its end. */
async function ended(scores: number[], type: object = {}) {
  const owner = await given.user()
  const app = await given.app({ owner })
  const { id: miniGameTypeId } = await makeType(app, 'Hunt', type)
  const session = await makeSession(app, { miniGameTypeId })
  const players = await playSession(given, app, session.id, scores)
  const startsAt = new Date(Date.now() - 3_600_000).toISOString()
  const season: string = (await app.post(appUrl('seasons'), { name: 'Spring', startsAt, miniGameTypeId })).body.id
  for (const [table, key] of [
    ['seasons', 'id'],
    ['period_boards', 'board_key'],
  ])
    await sql(`update ${table} set ends_at = clock_timestamp() - interval '1 minute' where ${key} = $1`, [season])
  // The scores were written before the end.
  for (const [table, column] of [
    ['session_players', 'updated_at'],
    ['period_best', 'written_at'],
  ])
    await sql(`update ${table} set ${column} = ${column} - interval '2 minutes' where app_id = $1`, [app.id])
  const query = `season=${season}`
  const board = async () => scoresAndRanks(await entriesOf(app, `leaderboards/mini-game?${query}`))
  const recount = (by = owner) => by.post(`${appUrl(`seasons/${season}/recount`)}?appId=${app.id}`)
  return { owner, app, session, players, season, query, board, recount }
}

describe('recounting a season', () => {
  test('takes scores that were lowered, removed players and deleted sessions off its board and ranks', async () => {
    const { app, session, players, query, board, recount } = await ended([50, 40, 30])
    const [first, second, third] = players.map(({ id }) => id) as [string, string, string]
    expect(await rankOf(app, third, `?${query}`)).toBe(3)
    await setScore(app, session.id, first, 5)
    await app.delete(appUrl(`game-sessions/${session.id}/players/${second}`))
    expect(await board()).toEqual([
      [50, 1],
      [40, 2],
      [30, 3],
    ])
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 2 } })
    expect(await board()).toEqual([
      [30, 1],
      [5, 2],
    ])
    expect(await rankOf(app, third, `?${query}`)).toBe(1)
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 0 } })
    await app.delete(appUrl(`game-sessions/${session.id}`))
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 2 } })
    expect(await board()).toEqual([])
  })

  test('does not count better scores that were written after the end, nor first ones', async () => {
    const { app, session, players, board, recount } = await ended([2, 1], { sortOrder: 'asc' })
    await setScore(app, session.id, players[0]!.id, 0.5)
    await setScore(app, session.id, players[1]!.id, 9)
    await playSession(given, app, session.id, [0])
    expect((await recount()).status).toBe(200)
    expect(await board()).toEqual([
      [2, 1],
      [9, 2],
    ])
  })

  test('takes players off its board and ranks who are hidden or banned by now, and brings back those who are normal again', async () => {
    const { app, players, query, board, recount } = await ended([50, 40, 30])
    const [first, second, third] = players.map(({ id }) => id) as [string, string, string]
    const setStanding = (id: string, standing: string) => app.patch(appUrl(`players/${id}`), { standing })
    await setStanding(first, 'hidden')
    await setStanding(second, 'banned')
    expect(await board()).toHaveLength(3)
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 2 } })
    expect(await board()).toEqual([[30, 1]])
    expect(await rankOf(app, third, `?${query}`)).toBe(1)
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 0 } })
    await setStanding(first, 'normal')
    expect(await board()).toEqual([[30, 1]])
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 1 } })
    expect(await board()).toEqual([
      [50, 1],
      [30, 2],
    ])
  })

  test('brings back a player who was hidden at its end', async () => {
    const { app, players, season, board, recount } = await ended([50, 40])
    const setStanding = (standing: string) => app.patch(appUrl(`players/${players[0]!.id}`), { standing })
    const setEnd = (end: string) =>
      sql(`update period_boards set ends_at = clock_timestamp() + $1::interval where board_key = $2`, [end, season])
    await setEnd('1 minute')
    await setStanding('hidden')
    await setEnd('-1 minute')
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 0 } })
    expect(await board()).toEqual([[40, 1]])
    await setStanding('normal')
    expect(await board()).toEqual([[40, 1]])
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 1 } })
    expect(await board()).toEqual([
      [50, 1],
      [40, 2],
    ])
  })

  test('with scoreMode sum, adds the scores of the end, lowered ones as they are now', async () => {
    const { app, session, players, board, recount } = await ended([50, 40], { scoreMode: 'sum' })
    const { miniGameType } = (await app.get(appUrl(`game-sessions/${session.id}`))).body
    const later = await makeSession(app, { miniGameTypeId: miniGameType.id })
    await app.post(appUrl(`game-sessions/${later.id}/players`), { playerId: players[1]!.id })
    await setScore(app, later.id, players[1]!.id, 7)
    await setScore(app, session.id, players[0]!.id, 30)
    expect(await recount()).toMatchObject({ status: 200, body: { changed: 1 } })
    expect(await board()).toEqual([
      [40, 1],
      [30, 2],
    ])
  })

  test('is for members of the app from developer on, and in the audit log', async () => {
    const { owner, app, season, recount } = await ended([1])
    expect(await recount(await given.user())).toMatchObject({ status: 404 })
    const [moderator, developer] = [await given.user(), await given.user()]
    const members = `/api/v1/apps/${app.id}/members`
    await owner.post(members, { userId: moderator.id, role: 'moderator' })
    await owner.post(members, { userId: developer.id, role: 'developer' })
    expect(await recount(moderator)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('developer') },
    })
    expect(await recount(developer)).toMatchObject({ status: 200 })
    expect(await app.post(`${appUrl(`seasons/${season}/recount`)}?appId=${app.id}`)).toMatchObject({ status: 401 })
    const text = "select actor from audit_log where action = 'season.recounted' and subject = $1"
    expect(await sql(text, [season])).toEqual([{ actor: developer.id }])
  })

  test('is 409 before the season has ended, and when the history no longer reaches back to its end', async () => {
    const { owner, app, season, recount } = await ended([1])
    await sql('update mini_game_types set history_days = 0 where app_id = $1', [app.id])
    expect(await recount()).toMatchObject({ status: 409, body: { error: expect.stringContaining('history') } })
    const startsAt = new Date().toISOString()
    const running = (await app.post(appUrl('seasons'), { name: 'Summer', startsAt })).body.id
    expect(await owner.post(`${appUrl(`seasons/${running}/recount`)}?appId=${app.id}`)).toMatchObject({ status: 409 })
    expect(season).not.toBe(running)
  })
})
