import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { letTimePass } from '../../../test/scoring/let-time-pass.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'
import { WINDOWS } from './schema.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

type Entry = { playerId: string; playerScore: number; ranking: number }
const boardOf = async (app: Caller, query: string) => {
  const { status, body } = await app.get(appUrl(`leaderboards/mini-game?${query}`))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body as { leaderboard: Entry[]; period: { window: string; startsAt: string; endsAt: string } }
}
const scoresOf = (board: { leaderboard: Entry[] }) => board.leaderboard.map(({ playerScore }) => playerScore)

describe('a window', () => {
  test.each(WINDOWS)('%s: its board has its players', async (window) => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [30, 20])
    const { status, body } = await app.get(appUrl(`leaderboards/mini-game?window=${window}`))
    const missing = `a new migration must allow ${window} in the checks of board_windows, period_boards and seasons`
    expect({ status, window: body.period?.window }, missing).toEqual({ status: 200, window })
    expect(scoresOf(body)).toEqual([30, 20])
  })

  test('counts the scores that were written before anybody asked for it, and those after', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [30, 20, 20])
    expect(scoresOf(await boardOf(app, 'window=day'))).toEqual([30, 20, 20])
    await setScore(app, id, players[2]!.id, 40)
    const board = await boardOf(app, 'window=day')
    expect(board.leaderboard.map(({ playerId, playerScore, ranking }) => [playerId, playerScore, ranking])).toEqual([
      [players[2]!.id, 40, 1],
      [players[0]!.id, 30, 2],
      [players[1]!.id, 20, 3],
    ])
    expect(await rankOf(app, players[1]!.id, '?window=day')).toBe(3)
  })

  test('leaves out scores of the day before, which the board of all time keeps', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [30, 20])
    await boardOf(app, 'window=day')
    await letTimePass(service, app.id, 1)
    expect(scoresOf(await boardOf(app, 'window=day'))).toEqual([])
    await setScore(app, id, players[1]!.id, 25)
    expect(scoresOf(await boardOf(app, 'window=day'))).toEqual([25])
    expect(scoresOf(await boardOf(app, 'window=all'))).toEqual([30, 25])
    expect(await rankOf(app, players[1]!.id, '?window=day')).toBe(1)
    expect(await rankOf(app, players[0]!.id, '?window=day')).toBeUndefined()
  })

  test('shows a lowered score, or the best of the other sessions of the window', async () => {
    const app = await given.app()
    const [one, other] = [await makeSession(app), await makeSession(app)]
    const [player] = await playSession(given, app, one.id, [50])
    await app.post(appUrl(`game-sessions/${other.id}/players`), { playerId: player!.id })
    await setScore(app, other.id, player!.id, 30)
    expect(scoresOf(await boardOf(app, 'window=week'))).toEqual([50])
    await setScore(app, one.id, player!.id, 10)
    expect(scoresOf(await boardOf(app, 'window=week'))).toEqual([30])
    await app.delete(appUrl(`game-sessions/${other.id}`))
    expect(scoresOf(await boardOf(app, 'window=week'))).toEqual([10])
    await app.delete(appUrl(`game-sessions/${one.id}/players/${player!.id}`))
    expect(scoresOf(await boardOf(app, 'window=week'))).toEqual([])
  })

  test('begins at midnight in the time zone of the type, on Mondays and on the first of a month', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt', { timeZone: 'Asia/Kathmandu' })
    for (const [window, form] of [
      ['day', /00:00$/],
      ['week', /^Mon.* 00:00$/],
      ['month', /^\w+, 01\/.* 00:00$/],
    ] as const) {
      const { period } = await boardOf(app, `miniGameTypeId=${type.id}&window=${window}`)
      const local = new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Asia/Kathmandu',
        weekday: 'short',
        day: '2-digit',
        month: '2-digit',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      })
      for (const moment of [period.startsAt, period.endsAt])
        expect(local.format(new Date(moment)).replace(/, (\d\d:\d\d)$/, ' $1')).toMatch(form)
      expect(Date.parse(period.startsAt)).toBeLessThanOrEqual(Date.now())
      expect(Date.parse(period.endsAt)).toBeGreaterThan(Date.now())
    }
  })

  test('follows the type into another time zone, with the scores of the new day', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt', { timeZone: 'Pacific/Auckland' })
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    await playSession(given, app, id, [7])
    const query = `miniGameTypeId=${type.id}&window=day`
    const before = await boardOf(app, query)
    await app.patch(appUrl(`mini-game-types/${type.id}`), { timeZone: 'Pacific/Honolulu' })
    const after = await boardOf(app, query)
    expect(after.period.startsAt).not.toBe(before.period.startsAt)
    expect(scoresOf(after)).toEqual([7])
  })

  test.each([
    ['timeZone', { name: 'Hunt', timeZone: 'Mars/Olympus' }],
    ['timeZone', { name: 'Hunt', timeZone: 'UTC+3 or so' }],
  ])('refuses an unknown %s with 400', async (path, body) => {
    const app = await given.app()
    expect(await app.post(appUrl('mini-game-types'), body)).toMatchObject({
      status: 400,
      body: { error: [{ path: [path] }] },
    })
  })

  test('has pages, places around a player, and friends like the board of all time', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [50, 40, 30, 20, 10])
    const [first] = players
    const { leaderboard } = await boardOf(app, `window=month&aroundPlayerId=${players[2]!.id}&limit=3`)
    expect(leaderboard.map(({ ranking }) => ranking)).toEqual([2, 3, 4])
    const page = await app.get(appUrl('leaderboards/mini-game?window=month&limit=2'))
    expect(page.headers.get('x-total-count')).toBe('5')
    const next = /<([^>]+)>/.exec(page.headers.get('link')!)![1]!
    const { body } = await app.get(next.replace(service.url, ''))
    expect(scoresOf(body)).toEqual([30, 20])
    const friends = await boardOf(app, `window=month&playerIds=${players[4]!.id},${first!.id}`)
    expect(friends.leaderboard.map(({ playerScore, ranking }) => [playerScore, ranking])).toEqual([
      [50, 1],
      [10, 2],
    ])
  })

  test('does not go on with a page of the day before', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [3, 2, 1])
    const page = await app.get(appUrl('leaderboards/mini-game?window=day&limit=2'))
    const next = /<([^>]+)>/.exec(page.headers.get('link')!)![1]!
    await letTimePass(service, app.id, 1)
    expect(await app.get(next.replace(service.url, ''))).toMatchObject({
      status: 400,
      body: { error: [{ path: ['cursor'] }] },
    })
  })

  test('that nobody reads is removed, and is the same when it is asked for again', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [5])
    await boardOf(app, 'window=day')
    await sql(`delete from board_windows where app_id = '${app.id}'`)
    await sql(`update period_boards set closed_at = clock_timestamp() where app_id = '${app.id}'`)
    await setScore(app, id, player!.id, 3)
    expect(scoresOf(await boardOf(app, 'window=day'))).toEqual([3])
  })
})

test.each([
  'leaderboards?window=week',
  'leaderboards/stream?season=none',
  'leaderboards/stream?segment=country:DE',
  'game-sessions/SESSION/leaderboard?window=day',
  'players/PLAYER?includeGlobalRankings=true&window=week',
])('GET %s is refused: the leaderboard would be another one than requested', async (path) => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [player] = await playSession(given, app, id, [1])
  expect(await app.get(appUrl(path.replace('SESSION', id).replace('PLAYER', player!.id)))).toMatchObject({
    status: 400,
    body: { error: [{ message: expect.stringContaining('leaderboards/mini-game'), path: [expect.any(String)] }] },
  })
})

test('a stream token is of all time only: a window in its request is refused', async () => {
  const app = await given.app()
  expect((await app.post(appUrl('leaderboards/stream-token'), { window: 'week' })).status).toBe(400)
  expect((await app.post(appUrl('leaderboards/stream-token'), { window: 'all' })).status).toBe(200)
})
