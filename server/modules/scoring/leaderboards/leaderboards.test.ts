import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { createOwnUrls } from '../../../platform/storage/own-urls.ts'
import { buildersOn } from '../../../test/builders.ts'
import {
  appUrl,
  makeSession,
  makeType,
  nextOf,
  playSession,
  rankOf,
  setScore,
  unknownId,
} from '../../../test/scoring/scoring-steps.ts'
import { type Answer, type Caller, startService } from '../../../test/service.ts'
import { gameTypes } from '../types/service.ts'
import { typeStore } from '../types/store.ts'
import { rankingStore } from './ranking-store.ts'
import { leaderboardService } from './service.ts'
import { sessionBoardStore } from './session-board-store.ts'
import { leaderboardStore } from './store.ts'

const service = await startService()
const given = buildersOn(service)
afterAll(() => service.stop())

type Entry = { playerId: string; playerScore: number; ranking: number; gameSessionId: string }
const entriesOf = async (app: Caller, path: string): Promise<Entry[]> => {
  const { status, body } = await app.get(appUrl(path))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.leaderboard
}
const scoresAndRanks = (entries: Entry[]) => entries.map(({ playerScore, ranking }) => [playerScore, ranking])

/** Follows the Link headers of a board to its end. */
async function allPages(app: Caller, path: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let next: string | undefined = appUrl(path)
  while (next) {
    const { body, headers }: Answer = await app.get(next)
    entries.push(...body.leaderboard)
    next = nextOf(headers)
  }
  return entries
}

describe('the leaderboard of a type', () => {
  test('pages by cursor show each player once, with its rank, and x-total-count says how many are ranked', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [5, 9, 7, 7, undefined, 7, 7, 1, 9])
    const whole = await entriesOf(app, 'leaderboards/mini-game')
    const ranks = [
      [9, 1],
      [9, 1],
      [7, 3],
      [7, 3],
      [7, 3],
      [7, 3],
      [5, 7],
      [1, 8],
    ]
    expect(scoresAndRanks(whole)).toEqual(ranks)
    // Once while the index of the board is not loaded, or only about to be; then from it.
    for (const limit of [1, 2, 3, 5, 7, 8, 1, 2, 3]) {
      expect(await allPages(app, `leaderboards/mini-game?limit=${limit}`), `limit ${limit}`).toEqual(whole)
    }
    const { headers } = await app.get(appUrl('leaderboards/mini-game?limit=2'))
    expect([headers.get('x-total-count'), nextOf(headers)]).toEqual(['8', expect.stringContaining('limit=2')])
    const last = await app.get(appUrl('leaderboards/mini-game?limit=8'))
    expect([last.headers.get('x-total-count'), nextOf(last.headers)]).toEqual(['8', undefined])
    for (const cursor of ['x', 'W10', Buffer.from('[1,"now","x"]').toString('base64url')])
      expect(await app.get(appUrl(`leaderboards/mini-game?cursor=${cursor}`))).toMatchObject({
        status: 400,
        body: { error: [{ path: ['cursor'] }] },
      })
  })

  test('pages and neighbours are the same while the rank index of the board cannot say', {
    tags: ['long'],
  }, async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [5, 9, 7, 7, 7, 1, 9])
    const db = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-test', max: 4 })
    const ownUrls = createOwnUrls(() => service.url)
    const bySql = leaderboardService({
      store: leaderboardStore(db.pool, { ownUrls }),
      sessionBoards: sessionBoardStore(db.pool, ownUrls.written),
      types: gameTypes({ store: typeStore(db.kysely, ownUrls), newId, most: 100 }),
      session: () => Promise.reject(new Error('not asked for')),
      index: { above: () => undefined },
      size: rankingStore(db.pool).size,
    })
    const whole = await entriesOf(app, 'leaderboards/mini-game')
    for (let limit = 1; limit < 8; limit++) {
      const pages: unknown[] = []
      let cursor: string | undefined
      do {
        const { entries, total, next } = await bySql.ofType(app.id, { limit, cursor })
        expect(total).toBe(7)
        pages.push(...JSON.parse(`[${entries}]`))
        cursor = next
      } while (cursor)
      expect(pages, `limit ${limit}`).toEqual(whole)
      for (const player of players) {
        const inMemory = await entriesOf(app, `leaderboards/mini-game?limit=${limit}&aroundPlayerId=${player.id}`)
        const { entries } = await bySql.ofType(app.id, { limit, aroundPlayerId: player.id })
        expect(JSON.parse(`[${entries}]`)).toEqual(inMemory)
      }
    }
    await db.close()
  })

  test('shows names and scores as they are, whatever is in them, from the top as around a player', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const names = ['"quoted" \\ back', '</script>\u2028é 😀', 'tab\tand\nline', "{'json': null}"]
    const scores = [1e21, 0.1 + 0.2, -1e-7, 0]
    const players = await playSession(given, app, id, scores)
    for (const [n, { id }] of players.entries()) await app.patch(appUrl(`players/${id}`), { displayName: names[n] })
    const top = await entriesOf(app, 'leaderboards/mini-game')
    expect(top).toMatchObject([
      { playerDisplayName: names[0], playerScore: 1e21, ranking: 1 },
      { playerDisplayName: names[1], playerScore: 0.1 + 0.2, ranking: 2 },
      { playerDisplayName: names[3], playerScore: 0, ranking: 3 },
      { playerDisplayName: names[2], playerScore: -1e-7, ranking: 4 },
    ])
    expect(await entriesOf(app, `leaderboards/mini-game?aroundPlayerId=${players[0]!.id}`)).toEqual(top)
  })

  test('a page goes on after the last one whatever was written meanwhile', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [a, b, c, d] = await playSession(given, app, id, [40, 30, 20, 10])
    const first = await app.get(appUrl('leaderboards/mini-game?limit=2'))
    await setScore(app, id, d!.id, 50) // overtakes what was seen
    await setScore(app, id, b!.id, 25) // the very one that the cursor names
    const second = await app.get(nextOf(first.headers)!)
    expect(first.body.leaderboard.map((entry: Entry) => entry.playerId)).toEqual([a!.id, b!.id])
    expect(second.body.leaderboard).toMatchObject([
      { playerId: b!.id, playerScore: 25, ranking: 3 },
      { playerId: c!.id, playerScore: 20, ranking: 4 },
    ])
  })

  test('around a player shows it in the middle; near an end the window moves and stays full', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(
      given,
      app,
      id,
      Array.from({ length: 15 }, (_, i) => 100 - i),
    )
    const around = async (place: number, limit?: number) => {
      const query = `aroundPlayerId=${players[place]!.id}${limit === undefined ? '' : `&limit=${limit}`}`
      const entries = await entriesOf(app, `leaderboards/mini-game?${query}`)
      for (const { ranking, playerId } of entries) expect(playerId).toBe(players[ranking - 1]!.id)
      return entries.map(({ ranking }) => ranking)
    }
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
    for (let again = 0; again < 2; again++) {
      expect(await around(7)).toEqual(from(3, 13)) // 11 unless told
      expect(await around(7, 5)).toEqual(from(6, 10))
      expect(await around(7, 4)).toEqual(from(7, 10)) // one before, two after
      expect(await around(7, 1)).toEqual([8])
      expect(await around(0, 5)).toEqual(from(1, 5))
      expect(await around(1, 5)).toEqual(from(1, 5))
      expect(await around(13, 5)).toEqual(from(11, 15))
      expect(await around(14, 5)).toEqual(from(11, 15))
      expect(await around(14, 1000)).toEqual(from(1, 15))
    }
    const answer = await app.get(
      appUrl(`leaderboards/mini-game?aroundPlayerId=${players[7]!.id.toUpperCase()}&limit=3`),
    )
    expect(answer.headers.get('x-total-count')).toBe('15')
    expect(answer.headers.get('link')).toBeNull()
  })

  test('around a player without a ranking is 404, around an unknown one 400; with a cursor as well 400', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [unscored, scored] = await playSession(given, app, id, [undefined, 5])
    const around = (playerId: string) => app.get(appUrl(`leaderboards/mini-game?aroundPlayerId=${playerId}`))
    expect(await around(unscored!.id)).toMatchObject({
      status: 404,
      body: { error: 'This player has no ranking on this leaderboard' },
    })
    const stranger = await given.player(await given.app())
    for (const playerId of [stranger.id, unknownId, 'no-id', ''])
      expect(await around(playerId), playerId).toMatchObject({
        status: 400,
        body: { error: [{ code: 'custom', path: ['aroundPlayerId'] }] },
      })
    expect(await app.get(appUrl(`leaderboards/mini-game?aroundPlayerId=${scored!.id}&cursor=x`))).toMatchObject({
      status: 400,
    })
  })

  test('a cursor that no page gave is 400, whatever it holds', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const moments = ['2026-02-30 10:00:00+00', '9999-99-99 99:99:99+00', '-------------------+00', '2026-01-31']
    const forged = [...moments.map((moment) => [1, moment, unknownId]), [1, '2026-01-31 10:00:00+00', 'no-id'], {}, 'x']
    for (const values of forged) {
      const cursor = Buffer.from(JSON.stringify(values)).toString('base64url')
      for (const board of ['leaderboards/mini-game', `game-sessions/${id}/leaderboard`])
        expect(await app.get(appUrl(`${board}?cursor=${cursor}`)), JSON.stringify(values)).toMatchObject({
          status: 400,
          body: { error: [{ path: ['cursor'] }] },
        })
    }
  })

  test('has 100 entries unless told, 1000 at most', { tags: ['long'] }, async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await Promise.all(Array.from({ length: 101 }, () => given.player(app)))
    await Promise.all(players.map((player) => app.post(appUrl(`game-sessions/${id}/players`), { playerId: player.id })))
    const scores = players.map((player, score) => ({ playerId: player.id, score }))
    expect(await app.post(appUrl(`game-sessions/${id}/scores`), { scores })).toMatchObject({ status: 200 })
    for (const board of ['leaderboards/mini-game', `game-sessions/${id}/leaderboard`]) {
      expect(await entriesOf(app, board)).toHaveLength(100)
      expect(await entriesOf(app, `${board}?limit=1000`)).toHaveLength(101)
    }
    const ofAll = async (query: string) =>
      (await app.get(appUrl(`leaderboards${query}`))).body.leaderboards[0].leaderboard
    expect(await ofAll('')).toHaveLength(100)
    expect(await ofAll('?limit=1000')).toHaveLength(101)
  })

  test('a rank agrees between the top list, a later page, around the player, all boards and the global ranking', {
    tags: ['long'],
  }, async () => {
    const app = await given.app()
    const race = await makeType(app, 'Race', { sortOrder: 'asc' })
    for (const type of [null, race.id]) {
      const { id } = await makeSession(app, { miniGameTypeId: type })
      const scores = Array.from({ length: 40 }, (_, i) => (i * i) % 13)
      const players = await playSession(given, app, id, scores)
      const query = type ? `?miniGameTypeId=${type}&` : '?'
      const expected = scores.map((mine) => 1 + scores.filter((score) => (type ? score < mine : score > mine)).length)
      const ranksIn = (entries: Entry[]) =>
        players.map(({ id }) => entries.find(({ playerId }) => playerId === id)?.ranking)
      expect(ranksIn(await entriesOf(app, `leaderboards/mini-game${query}`))).toEqual(expected)
      expect(ranksIn(await allPages(app, `leaderboards/mini-game${query}limit=7`))).toEqual(expected)
      const boards = (await app.get(appUrl('leaderboards'))).body.leaderboards
      expect(ranksIn(boards[type ? 1 : 0].leaderboard)).toEqual(expected)
      for (const [i, player] of players.entries()) {
        const around = await entriesOf(app, `leaderboards/mini-game${query}limit=3&aroundPlayerId=${player.id}`)
        expect(around.find(({ playerId }) => playerId === player.id)!.ranking).toBe(expected[i])
        expect(await rankOf(app, player.id, query)).toBe(expected[i])
      }
    }
  })

  test('equal scores stand by the earlier moment, also where lower is better; a session is its player’s earlier one', async () => {
    const app = await given.app()
    const race = await makeType(app, 'Race', { sortOrder: 'asc' })
    for (const choice of [{}, { miniGameTypeId: race.id }]) {
      const [a, b] = [await makeSession(app, choice), await makeSession(app, choice)]
      const [third, first, second] = await playSession(given, app, a.id, [undefined, 10, 10])
      await setScore(app, a.id, third!.id, 10)
      await app.post(appUrl(`game-sessions/${b.id}/players`), { playerId: first!.id })
      await setScore(app, b.id, first!.id, 10)
      const query = 'miniGameTypeId' in choice ? `?miniGameTypeId=${race.id}` : ''
      const board = () => entriesOf(app, `leaderboards/mini-game${query}`)
      expect((await board()).map(({ playerId }) => playerId)).toEqual([first!.id, second!.id, third!.id])
      expect((await board())[0]!.gameSessionId).toBe(a.id)
      // Without its earlier session the player's moment is the later one's.
      await app.delete(appUrl(`game-sessions/${a.id}/players/${first!.id}`))
      expect((await board()).map(({ playerId }) => playerId)).toEqual([second!.id, third!.id, first!.id])
      expect((await board())[2]!.gameSessionId).toBe(b.id)
      // Scores of one request count as reached at one moment: then the player id decides.
      const together = await playSession(given, app, a.id, [undefined, undefined, undefined, undefined])
      const scores = together.map(({ id }) => ({ playerId: id, score: 10 })).reverse()
      expect(await app.post(appUrl(`game-sessions/${a.id}/scores`), { scores })).toMatchObject({ status: 200 })
      expect((await board()).slice(3).map(({ playerId }) => playerId)).toEqual(together.map(({ id }) => id).sort())
    }
  })

  test('all boards: the default game, then types by name, each with as many entries as asked for', async () => {
    const app = await given.app()
    const race = await makeType(app, 'race', { sortOrder: 'asc' })
    await makeType(app, 'Empty')
    const [a, b] = [await makeSession(app), await makeSession(app, { miniGameTypeId: race.id })]
    await playSession(given, app, a.id, [1, 2, 2])
    await playSession(given, app, b.id, [1, 2, 2])
    const { leaderboards } = (await app.get(appUrl('leaderboards'))).body
    expect(leaderboards.map((board: { miniGameTypeName: string | null }) => board.miniGameTypeName)).toEqual([
      null,
      'Empty',
      'race',
    ])
    expect(leaderboards.map((board: { leaderboard: Entry[] }) => scoresAndRanks(board.leaderboard))).toEqual([
      [
        [2, 1],
        [2, 1],
        [1, 3],
      ],
      [],
      [
        [1, 1],
        [2, 2],
        [2, 2],
      ],
    ])
    const two = (await app.get(appUrl('leaderboards?limit=2'))).body.leaderboards
    expect(two.map((board: { leaderboard: Entry[] }) => board.leaderboard.length)).toEqual([2, 0, 2])
    for (const limit of ['0', '1001', 'x'])
      expect(await app.get(appUrl(`leaderboards?limit=${limit}`))).toMatchObject({ status: 400 })
  })
})

describe('the leaderboard of a session', () => {
  test('has the written scores of that session alone, ranked by the order of its type, in pages', async () => {
    const app = await given.app()
    const race = await makeType(app, 'Race', { sortOrder: 'asc' })
    const { id } = await makeSession(app, { miniGameTypeId: race.id })
    const players = await playSession(given, app, id, [30, undefined, 10, 30, 20])
    const other = await makeSession(app, { miniGameTypeId: race.id })
    await app.post(appUrl(`game-sessions/${other.id}/players`), { playerId: players[0]!.id })
    await setScore(app, other.id, players[0]!.id, 1) // a better one elsewhere does not count here
    const { body, headers } = await app.get(appUrl(`game-sessions/${id}/leaderboard`))
    expect(body).toMatchObject({ miniGameTypeId: race.id, miniGameTypeName: 'Race' })
    expect(scoresAndRanks(body.leaderboard)).toEqual([
      [10, 1],
      [20, 2],
      [30, 3],
      [30, 3],
    ])
    expect(body.leaderboard.map(({ playerId }: Entry) => playerId)).toEqual(
      [2, 4, 0, 3].map((place) => players[place]!.id),
    )
    expect(body.leaderboard[2]).toEqual({
      playerId: players[0]!.id,
      playerDisplayName: players[0]!.displayName,
      playerScore: 30,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      gameSessionId: id,
      playerImageUrl: null,
      userId: null,
      ranking: 3,
    })
    expect(headers.get('x-total-count')).toBe('4')
    for (const limit of [1, 2, 3])
      expect(await allPages(app, `game-sessions/${id}/leaderboard?limit=${limit}`)).toEqual(body.leaderboard)
  })

  test('of a session without a type is one of the default game, and empty before the first score', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [undefined])
    const answer = await app.get(appUrl(`game-sessions/${id}/leaderboard`))
    expect(answer.body).toEqual({ miniGameTypeId: null, miniGameTypeName: null, leaderboard: [] })
    expect(answer.headers.get('x-total-count')).toBe('0')
  })
})
