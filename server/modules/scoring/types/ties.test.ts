import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { allPages, entriesOf } from '../../../test/scoring/board-steps.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

/** A type with two sessions. Players reach their scores in the first one, in their order. */
async function game(ties: string | undefined, scores: (number | undefined)[], more: object = {}) {
  const app = await given.app()
  const type = await makeType(app, 'Hunt', { segments: ['country'], ...(ties && { ties }), ...more })
  const [first, second] = [
    (await makeSession(app, { miniGameTypeId: type.id })).id,
    (await makeSession(app, { miniGameTypeId: type.id })).id,
  ]
  const players = (await playSession(given, app, first, scores)).map(({ id }) => id as string)
  for (const playerId of players) {
    await app.post(appUrl(`game-sessions/${second}/players`), { playerId })
    await app.patch(appUrl(`players/${playerId}`), { attributes: { country: 'DE' } })
  }
  const path = `leaderboards/mini-game?miniGameTypeId=${type.id}`
  /** The place in `players` and the rank of each entry. */
  const shown = (entries: { playerId: string; ranking: number }[]) =>
    entries.map(({ playerId, ranking }) => [players.indexOf(playerId), ranking])
  const board = async (query = '') => shown(await entriesOf(app, path + query))
  const write = (session: string, player: number, score: number) => setScore(app, session, players[player]!, score)
  return { app, type, first, second, players, path, shown, board, write }
}
const later = () => new Promise((done) => setTimeout(done, 5))

describe('with ties last', () => {
  test('who reached an equal score last is above, with the same rank, on every board', async () => {
    const { app, type, first, board, shown } = await game('last', [20, 30, 20, 20])
    const startsAt = new Date(Date.now() - 60_000).toISOString()
    const season = await app.post(appUrl('seasons'), { name: 'Spring', miniGameTypeId: type.id, startsAt })
    const expected = [
      [1, 1],
      [3, 2],
      [2, 2],
      [0, 2],
    ]
    for (const query of ['', '&window=day', '&segment=country:DE', '&window=week&segment=country:DE'])
      expect(await board(query), query).toEqual(expected)
    expect(await board(`&season=${season.body.id}`)).toEqual(expected)
    expect(shown(await entriesOf(app, `game-sessions/${first}/leaderboard`))).toEqual(expected)
    const { leaderboards } = (await app.get(appUrl('leaderboards'))).body
    expect(shown(leaderboards[1].leaderboard)).toEqual(expected)
  })

  test('pages, entries around a player and friends have this order', async () => {
    const { app, first, players, path, shown, board } = await game('last', [20, 20, 20, 20, 20])
    const expected = [4, 3, 2, 1, 0].map((player) => [player, 1])
    expect(shown(await allPages(app, `${path}&limit=2`))).toEqual(expected)
    expect(shown(await allPages(app, `game-sessions/${first}/leaderboard?limit=2`))).toEqual(expected)
    expect(await board(`&aroundPlayerId=${players[1]}&limit=3`)).toEqual(expected.slice(2))
    expect(await board(`&playerIds=${players[0]},${players[3]}`)).toEqual([
      [3, 1],
      [0, 1],
    ])
  })

  test('a player stands where it reached its score first, and moves when it reaches another one', async () => {
    const { first, second, board, write } = await game('last', [20, 20])
    await write(second, 0, 20)
    await write(first, 0, 20)
    expect(await board()).toEqual([
      [1, 1],
      [0, 1],
    ])
    await write(second, 1, 25)
    await write(first, 0, 25)
    expect(await board()).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('the leaderboard at a past time has the order of then', async () => {
    const { first, board, write } = await game('last', [20, 20, 10])
    await later()
    const at = new Date().toISOString() // the clock of the database is that of this machine
    await later()
    await write(first, 2, 20)
    await write(first, 0, 30)
    const then = [
      [1, 1],
      [0, 1],
      [2, 3],
    ]
    expect(await board(`&at=${at}`)).toEqual(then)
    expect(await board()).toEqual([
      [0, 1],
      [2, 2],
      [1, 2],
    ])
  })

  test('totals and last scores have this order', async () => {
    const sum = await game('last', [10, 20], { scoreMode: 'sum' })
    await sum.write(sum.second, 0, 10)
    expect((await sum.board()).map(([player]) => player)).toEqual([0, 1])
    await sum.write(sum.second, 1, 0)
    expect((await sum.board()).map(([player]) => player)).toEqual([0, 1])
    const latest = await game('last', [10, 20], { scoreMode: 'latest' })
    await latest.write(latest.second, 0, 20)
    expect((await latest.board()).map(([player]) => player)).toEqual([0, 1])
  })

  test('a hidden player sees itself where it would stand', async () => {
    const { app, players, path, shown } = await game('last', [20, 20, 20])
    await app.patch(appUrl(`players/${players[1]}`), { standing: 'hidden' })
    const { body } = await app.post('/auth/player-token', { playerId: players[1] })
    const self = service.as({ ...app.headers, authorization: `Bearer ${body.playerToken}` })
    expect(shown(await entriesOf(self, path)).map(([player]) => player)).toEqual([2, 1, 0])
    expect(shown(await entriesOf(app, path)).map(([player]) => player)).toEqual([2, 0])
  })

  test('imported scores stand where their times put them, and importing them again changes nothing', async () => {
    const { app, type, path } = await game('last', [])
    const send = async () => {
      const bytes = 'player_name,score,achieved_at\nAda,5,2026-01-03\nBo,5,2026-01-05\nCy,5,2026-01-04\n'
      const file = formOf({ name: 'scores.csv', bytes })
      return (await app.post(appUrl(`leaderboards/import?miniGameTypeId=${type.id}`), file)).body.summary
    }
    expect(await send()).toMatchObject({ applied: 3 })
    const names = async (query = '') =>
      (await app.get(appUrl(path + query))).body.leaderboard.map(
        (entry: { playerDisplayName: string }) => entry.playerDisplayName,
      )
    expect(await names()).toEqual(['Bo', 'Cy', 'Ada'])
    expect(await names('&window=day')).toEqual(['Bo', 'Cy', 'Ada'])
    expect(await send()).toMatchObject({ applied: 0, skipped: 3 })
  })

  test('imported scores without times keep the order of the file, so that a leaderboard moves to another app as it is', async () => {
    const { app, path } = await game('last', [20, 20, 30, 20])
    const other = await game('last', [])
    const { leaderboard } = (await app.get(appUrl(path))).body
    const rows = leaderboard.map(({ playerDisplayName: name, playerScore: score }: Record<string, unknown>) => ({
      name,
      score,
    }))
    const file = formOf({ name: 'board.json', bytes: JSON.stringify(rows) })
    await other.app.post(appUrl(`leaderboards/import?miniGameTypeId=${other.type.id}`), file)
    const names = async (of: typeof app, board: string) =>
      (await entriesOf(of, board)).map((entry) => (entry as unknown as { playerDisplayName: string }).playerDisplayName)
    expect(await names(other.app, other.path)).toEqual(await names(app, path))
  })
})

describe('with ties none', () => {
  test('equal scores are ordered by player ID, not by time', async () => {
    const { app, first, players, board, shown, write } = await game('none', [20, 20, 20, 20])
    const expected = players.toSorted().map((player) => [players.indexOf(player), 1])
    await write(first, 0, 19)
    await write(first, 0, 20)
    for (const query of ['', '&window=day', '&segment=country:DE']) expect(await board(query), query).toEqual(expected)
    expect(shown(await entriesOf(app, `game-sessions/${first}/leaderboard`))).toEqual(expected)
  })
})

describe('the ties of a type', () => {
  test('are first by default, and can be changed until a score is written', async () => {
    const { app, type, first, write, board } = await game(undefined, [undefined, undefined])
    const url = appUrl(`mini-game-types/${type.id}`)
    expect((await app.get(url)).body.ties).toBe('first')
    const changed = { ties: 'last', scoreMode: 'latest' }
    expect(await app.patch(url, changed)).toMatchObject({ status: 200, body: changed })
    await write(first, 0, 2)
    await write(first, 1, 2)
    expect((await board()).map(([player]) => player)).toEqual([1, 0])
    expect(await app.patch(url, { ties: 'first' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('create another type') },
    })
    expect(await app.patch(url, { ties: 'random' })).toMatchObject({
      status: 400,
      body: { error: [{ path: ['ties'] }] },
    })
  })
})
