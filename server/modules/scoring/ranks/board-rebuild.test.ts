import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, rankOf } from '../../../test/scoring/scoring-steps.ts'
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

/** Two players with a country, on the boards of all time, of the day and of a season. */
async function ranked() {
  const app = await given.app()
  const { id: type } = await makeType(app, 'Hunt', { segments: ['country'] })
  const { id: session } = await makeSession(app, { miniGameTypeId: type })
  const season = (
    await app.post(appUrl('seasons'), { name: 'S', miniGameTypeId: type, startsAt: '2026-01-01T00:00:00Z' })
  ).body.id
  const of = `?miniGameTypeId=${type}`
  await app.get(appUrl(`leaderboards/mini-game${of}&window=month`))
  const players = await playSession(given, app, session, [10, 20])
  for (const { id } of players) await app.patch(appUrl(`players/${id}`), { attributes: { country: 'DE' } })
  const [one, two] = players.map(({ id }) => id) as [string, string]
  const rebuild = (isCheckOnly = false) => service.app.operator.ranks({ appId: app.id, isCheckOnly })
  const boards = [
    '',
    '&window=month',
    `&season=${season}`,
    '&segment=country:DE',
    `&season=${season}&segment=country:DE`,
  ]
  const ranks = async () => {
    const found = []
    for (const board of boards) found.push(await rankOf(app, one, `${of}${board}`))
    return found
  }
  // Boards are filled when they are first asked for.
  await expect.poll(ranks).toEqual([2, 2, 2, 2, 2])
  expect(await rebuild(true)).toMatchObject({ checked: 2, corrected: 0, missing: 0 })
  return { app, session, season, one, two, rebuild, ranks }
}

test('rows of windows, seasons and segments that were changed by hand are corrected', async () => {
  const { app, one, two, rebuild, ranks } = await ranked()
  await sql('update period_best set score = 1, rank_key = 1 where app_id = $1 and player_id = $2', [app.id, two])
  await sql('update segment_best set score = 99, rank_key = 99 where app_id = $1 and player_id = $2', [app.id, one])
  const wrong = (await rebuild(true)).corrected
  expect(wrong).toBeGreaterThanOrEqual(5)
  expect((await rebuild()).corrected).toBeGreaterThan(0)
  expect(await rebuild(true)).toMatchObject({ corrected: 0, missing: 0 })
  await expect.poll(ranks).toEqual([2, 2, 2, 2, 2])
})

test('missing rows are made, and rows that belong to no best are deleted', async () => {
  const { app, one, two, rebuild, ranks } = await ranked()
  await sql('delete from segment_best where app_id = $1 and player_id = $2', [app.id, one])
  await sql('delete from period_best where app_id = $1 and player_id = $2', [app.id, two])
  await sql(
    `insert into segment_best select distinct on (app_id) app_id, gen_random_uuid(), player_id, score, rank_key, session_id,
            achieved_at, joined_at, written_at, metadata, version from segment_best where app_id = $1`,
    [app.id],
  )
  expect((await rebuild(true)).corrected).toBeGreaterThan(0)
  await rebuild()
  expect(await rebuild(true)).toMatchObject({ corrected: 0, missing: 0 })
  await expect.poll(ranks).toEqual([2, 2, 2, 2, 2])
})

test('a score that was changed by hand counts on every running board, and not on one that has ended', async () => {
  const { app, one, season, rebuild, ranks } = await ranked()
  const ended = "starts_at = starts_at - interval '1 day', ends_at = clock_timestamp() - interval '1 hour'"
  await sql(`update seasons set ${ended} where id = $1`, [season])
  await sql(`update period_boards set ${ended} where board_key = $1`, [season])
  await sql('update session_players set score = 30 where app_id = $1 and player_id = $2', [app.id, one])
  await rebuild()
  expect(await rebuild(true)).toMatchObject({ corrected: 0, missing: 0 })
  await expect.poll(ranks).toEqual([1, 1, 2, 1, 2])
})
