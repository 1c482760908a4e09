import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { allPages, type Entry, entriesOf, scoresAndRanks } from '../../../test/scoring/board-steps.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

describe('the leaderboard of a type', () => {
  test('returns any names and scores unchanged, from the top and around a player', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const names = ['"quoted" \\ back', '</script>é 😀', 'x\\u2028\\ty', "{'json': null}"]
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

  test('has 100 entries by default and 1,000 at most', { tags: ['long'] }, async () => {
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

  test('all boards: the default game, then types by name, each with up to `limit` entries', async () => {
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
