import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import {
  appUrl,
  makeSession,
  makeType,
  playSession,
  rankOf,
  setScore,
  unknownId,
} from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

describe('rankings', () => {
  test('equal scores share a rank and the next one leaves a gap: 1-2-2-4', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [30, 20, 20, 10])
    for (let again = 0; again < 2; again++) {
      expect(await Promise.all(players.map((player) => rankOf(app, player.id)))).toEqual([1, 2, 2, 4])
    }
  })

  test('a registered player without a written score has no ranking; a written 0 has one', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [undefined])
    const none = { status: 404, body: { error: 'Player not found or has no ranking' } }
    expect(await app.get(appUrl(`players/${player!.id}/global-ranking`))).toMatchObject(none)
    expect(await app.get(appUrl(`players/${unknownId}/global-ranking`))).toMatchObject(none)
    expect((await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard).toEqual([])
    await setScore(app, id, player!.id, 0)
    expect(await app.get(appUrl(`players/${player!.id}/global-ranking`))).toMatchObject({
      status: 200,
      body: { highestScore: 0, ranking: 1, miniGameTypeId: null, miniGameTypeName: null },
    })
  })

  test('a lowered score lowers the highest score at once, to the best of the other sessions', async () => {
    const app = await given.app()
    const [a, b] = [await makeSession(app), await makeSession(app)]
    const [player, rival] = await playSession(given, app, a.id, [50, 40])
    await app.post(appUrl(`game-sessions/${b.id}/players`), { playerId: player!.id })
    await setScore(app, b.id, player!.id, 30)
    expect(await rankOf(app, player!.id)).toBe(1)
    await setScore(app, a.id, player!.id, 10)
    expect((await app.get(appUrl(`players/${player!.id}/global-ranking`))).body).toMatchObject({
      highestScore: 30,
      ranking: 2,
    })
    expect(await rankOf(app, rival!.id)).toBe(1)
  })

  test('where lower is better, less ranks first and is the highest score', async () => {
    const app = await given.app()
    await makeType(app, 'Race', { sortOrder: 'asc' })
    const { id } = await makeSession(app, { miniGameTypeName: 'Race' })
    const players = await playSession(given, app, id, [30, 10, 20])
    const ranks = await Promise.all(players.map((player) => rankOf(app, player.id, '?miniGameTypeName=race')))
    expect(ranks).toEqual([3, 1, 2])
    const { leaderboard } = (await app.get(appUrl('leaderboards/mini-game?miniGameTypeName=RACE'))).body
    expect(leaderboard.map((entry: { playerScore: number }) => entry.playerScore)).toEqual([10, 20, 30])
  })

  test('each type has a board of its own, and a player carries one ranking for each', async () => {
    const app = await given.app()
    const [zoo, ant] = [await makeType(app, 'Zoo'), await makeType(app, 'ant')]
    const sessions = [await makeSession(app), await makeSession(app, { miniGameTypeId: zoo.id })]
    const antSession = await makeSession(app, { miniGameTypeId: ant.id })
    const [player] = await playSession(given, app, sessions[0]!.id, [1, 5])
    await app.post(appUrl(`game-sessions/${sessions[1]!.id}/players`), { playerId: player!.id })
    await setScore(app, sessions[1]!.id, player!.id, 7)
    await app.post(appUrl(`game-sessions/${antSession.id}/players`), { playerId: player!.id })
    const { body } = await app.get(appUrl(`players/${player!.id}?includeGlobalRankings=true`))
    expect(body.globalRankings).toEqual([
      { highestScore: 1, ranking: 2, miniGameTypeName: null, miniGameTypeId: null },
      { highestScore: 7, ranking: 1, miniGameTypeName: 'Zoo', miniGameTypeId: zoo.id },
    ])
    const { leaderboards } = (await app.get(appUrl('leaderboards'))).body
    expect(leaderboards.map((board: { miniGameTypeName: string | null }) => board.miniGameTypeName)).toEqual([
      null,
      'ant',
      'Zoo',
    ])
    expect(leaderboards.map((board: { leaderboard: unknown[] }) => board.leaderboard.length)).toEqual([2, 0, 1])
    expect((await app.get(appUrl('leaderboards?limit=1'))).body.leaderboards[0].leaderboard).toHaveLength(1)
    expect(await app.get(appUrl(`players/${player!.id}/global-ranking?miniGameTypeName=Nothing`))).toMatchObject({
      status: 404,
      body: { error: 'Mini game type not found' },
    })
  })

  test('a leaderboard is by score, then by who reached it first; one entry a player, its best session', async () => {
    const app = await given.app()
    const [a, b] = [await makeSession(app), await makeSession(app)]
    const [later, first, top] = await playSession(given, app, a.id, [undefined, 10, 20])
    await setScore(app, a.id, later!.id, 10)
    await app.post(appUrl(`game-sessions/${b.id}/players`), { playerId: first!.id })
    await setScore(app, b.id, first!.id, 10) // an equal score later does not move it
    await setScore(app, a.id, first!.id, 10) // nor does the same value again
    const { body } = await app.get(appUrl('leaderboards/mini-game'))
    expect(body).toMatchObject({ miniGameTypeId: null, miniGameTypeName: null })
    expect(body.leaderboard).toEqual(
      [
        [top!, 20, 1],
        [first!, 10, 2],
        [later!, 10, 2],
      ].map(([player, score, ranking]) => ({
        playerId: (player as { id: string }).id,
        playerDisplayName: (player as { displayName: string }).displayName,
        playerScore: score,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        gameSessionId: a.id,
        playerImageUrl: null,
        userId: null,
        ranking,
      })),
    )
    expect((await app.get(appUrl('leaderboards/mini-game?limit=2'))).body.leaderboard).toHaveLength(2)
    for (const limit of ['0', '1001', '1e2', 'x', '', '5&limit=6']) {
      expect(await app.get(appUrl(`leaderboards/mini-game?limit=${limit}`))).toMatchObject({
        status: 400,
        body: { error: [{ path: ['limit'] }] },
      })
    }
  })

  test('two hundred writers to one board at once: every rank and the whole board are as counting says', {
    tags: ['long'],
  }, async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await Promise.all(
      Array.from({ length: 200 }, async () => (await playSession(given, app, id, [undefined]))[0]!),
    )
    const scores = new Map<string, number>()
    await Promise.all(
      players.map(async (player, i) => {
        for (let turn = 0; turn < 5; turn++) {
          const score = (turn * 7 + i * 5) % 61
          await setScore(app, id, player.id, score)
          scores.set(player.id, score)
          if (turn % 2 === 0) {
            const rank = await rankOf(app, player.id)
            expect(rank).toBeGreaterThanOrEqual(1)
            expect(rank).toBeLessThanOrEqual(players.length)
          }
        }
      }),
    )
    const counted = (score: number) => 1 + [...scores.values()].filter((other) => other > score).length
    const ranks = await Promise.all(players.map((player) => rankOf(app, player.id)))
    expect(ranks).toEqual(players.map((player) => counted(scores.get(player.id)!)))
    const { body, headers } = await app.get(appUrl('leaderboards/mini-game?limit=1000'))
    expect(headers.get('x-total-count')).toBe('200')
    const entries: { playerId: string; playerScore: number; ranking: number }[] = body.leaderboard
    expect(entries.map(({ playerScore }) => playerScore)).toEqual([...scores.values()].sort((a, b) => b - a))
    for (const { playerId, playerScore, ranking } of entries)
      expect([playerScore, ranking]).toEqual([scores.get(playerId), counted(playerScore)])
  })
})
