import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
let world: FenceWorld
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)

  world = await fenceWorldOn(service)
})
afterAll(() => service.stop())

const ownedApp = async () => {
  const owner = await given.user()
  const app = await given.app({ owner })
  const activity = async () => {
    const { status, body } = await owner.get(appUrl(`${app.id}/activity`))
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }
  return { app, activity }
}
const thisHour = async () => (await sql<{ hour: string }>("select date_trunc('hour', now())::text as hour"))[0]!.hour
/** Repeats a scenario that the clock disturbed: its numbers are those of one hour. */
async function inOneHour<Result>(scenario: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const before = await thisHour()
    const result = await scenario()
    if ((await thisHour()) === before) return result
  }
}

test('an app in which nothing happens has an activity of zeros, and nothing to compare with', async () => {
  const { activity } = await ownedApp()
  const { at, players, ...rest } = await activity()
  expect(players).toMatchObject({ today: 0, lastWeek: null, lastWeekByNow: null })
  expect(players.days).toHaveLength(14)
  expect(players.days.at(-1)).toEqual({ day: at.slice(0, 10), players: 0 })
  expect(rest).toEqual({
    sessions: { running: 0, paused: 0 },
    boards: [],
    held: { scores: 0, checkIns: 0, since: null },
    webhooks: { failing: 0, disabled: 0 },
    fences: { checkIns: 0, visited: [] },
  })
})

test('players of today and the scores of each leaderboard are those that SQL counts', async () => {
  const { app, activity, writes } = await inOneHour(async () => {
    const { app, activity } = await ownedApp()
    const race = await makeType(app, 'Race')
    const [open, raced] = [await makeSession(app), await makeSession(app, { miniGameTypeId: race.id })]
    const players = await playSession(given, app, open.id, [1, 2, 3, undefined])
    const [first, second] = players
    for (const player of [first!, second!]) {
      await app.post(appUrl(`game-sessions/${raced.id}/players`), { playerId: player.id })
      for (const score of [10, 20, 30]) await setScore(app, raced.id, player.id, score)
    }
    const scores = [first!, second!].map(({ id: playerId }) => ({ playerId, score: 40 }))
    expect((await app.post(appUrl(`game-sessions/${raced.id}/scores`), { scores })).status).toBeLessThan(300)
    return { app, activity: await activity(), writes: { race: 8, default: 3 } }
  })
  const [counted] = await sql<{ players: number }>(
    `select count(distinct player_id) as players from session_players
      where app_id = $1 and scored_at >= date_trunc('day', now())`,
    [app.id],
  )
  expect(activity.players).toMatchObject({ today: counted!.players, lastWeek: null })
  expect(counted!.players).toBe(3)
  expect(activity.boards.map(({ miniGameTypeName, writes }: never) => [miniGameTypeName, writes])).toEqual([
    ['Race', writes.race],
    [null, writes.default],
  ])
  for (const board of activity.boards) expect(board.hours).toEqual([...Array(23).fill(0), board.writes])
})

test('the same day of last week is compared up to the end of this hour', async () => {
  const players = await inOneHour(async () => {
    const { app, activity } = await ownedApp()
    await playSession(given, app, (await makeSession(app)).id, [1, 2])
    await activity()
    await sql(
      `insert into active_days (app_id, day, players)
       select $1, current_date - 7, array(select case when h <= extract(hour from now()) then 5 + h else 99 end
                                            from generate_series(0, 23) h)`,
      [app.id],
    )
    const [{ hour }] = (await sql<{ hour: number }>('select extract(hour from now())::int as hour')) as [
      { hour: number },
    ]
    return { ...(await activity()).players, hour }
  })
  expect(players).toMatchObject({ today: 2, lastWeekByNow: 5 + players.hour, lastWeek: players.hour === 23 ? 28 : 99 })
})

test('sessions are counted by status, and what waits for a review with the time of the oldest', async () => {
  const { app, activity } = await ownedApp()
  for (const status of ['ACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETED']) await makeSession(app, { status })
  const type = await makeType(app, 'Dash', { rules: { maxIncrease: 5 } })
  const { id: session } = await makeSession(app, { miniGameTypeId: type.id })
  const [player] = await playSession(given, app, session, [1])
  for (const score of [500, 600]) await app.patch(appUrl(`game-sessions/${session}/players/${player!.id}`), { score })
  const [held] = await sql<{ scores: number; since: Date }>(
    "select count(*) as scores, min(created_at) as since from held_scores where app_id = $1 and state = 'held'",
    [app.id],
  )
  const found = await activity()
  expect(found.sessions).toEqual({ running: 3, paused: 1 })
  expect(held!.scores).toBe(2)
  expect(found.held).toMatchObject({ scores: held!.scores, checkIns: 0 })
  expect(Math.abs(Date.parse(found.held.since) - held!.since.getTime())).toBeLessThanOrEqual(1)
  expect(found.boards[0].writes, 'held scores do not count').toBe(1)
})

test('webhooks that fail and those that the service disabled are counted, not those that a person switched off', async () => {
  const { app, activity } = await ownedApp()
  await sql(
    `insert into webhook_endpoints (app_id, id, url, event_types, enabled, disabled_reason, failing_since, secret)
     select $1, gen_random_uuid(), 'https://hooks.example.org', '{score.updated}', e, r, f, 's'
       from (values (true, null, null::timestamptz), (true, null, now()), (false, 'gone', now()), (false, null, null)) v (e, r, f)`,
    [app.id],
  )
  expect((await activity()).webhooks).toEqual({ failing: 1, disabled: 1 })
})

test('fences are listed by accepted check-ins of the last 24 hours, with their different players', async () => {
  const place = { lat: 48.1, lon: 11.5 }
  const rule = { checkIn: { award: { points: 5 } } }
  const [well, tower] = [place, away(place, 500)]
  const [first, second] = [await world.circle(well, 20, rule), await world.circle(tower, 20, rule)]
  const statuses: number[] = []
  for (const fence of [first, first, second].map(({ id }, n) => ({ id, at: n < 2 ? well : tower }))) {
    const player = await world.player()
    const fix = fixAt(fence.at)
    statuses.push((await player.post(appUrl('check-ins'), { fenceId: fence.id, fix })).status)
  }
  expect(statuses.every((status) => status < 300)).toBe(true)
  await sql("update check_ins set created_at = created_at - interval '2 days' where fence_id = $1", [second.id])
  const { body } = await world.owner.get(appUrl(`${world.app.id}/activity`))
  expect(body.fences).toEqual({ checkIns: 2, visited: [{ id: first.id, name: 'Well', checkIns: 2, players: 2 }] })
  expect(body.boards[0].writes, 'points of check-ins are scores').toBe(3)
})
