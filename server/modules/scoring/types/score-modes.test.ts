import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { entriesOf } from '../../../test/scoring/board-steps.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

/** A type with two sessions and players in both, who have the scores in the first one. */
async function game(scoreMode: string, scores: (number | undefined)[], more: object = {}) {
  const app = await given.app()
  const type = await makeType(app, 'Hunt', { scoreMode, ...more })
  const [first, second] = [
    await makeSession(app, { miniGameTypeId: type.id }),
    await makeSession(app, { miniGameTypeId: type.id }),
  ].map(({ id }) => id) as [string, string]
  const players = (await playSession(given, app, first, scores)).map(({ id }) => id as string)
  for (const playerId of players) await app.post(appUrl(`game-sessions/${second}/players`), { playerId })
  const of = `?miniGameTypeId=${type.id}`
  /** The score and rank of each player, in the order of the board. */
  const board = async (more = '') =>
    (await entriesOf(app, `leaderboards/mini-game${of}${more}`)).map(({ playerId, playerScore, ranking }) => [
      players.indexOf(playerId),
      playerScore,
      ranking,
    ])
  const write = (session: string, player: number, score: number) => setScore(app, session, players[player]!, score)
  const place = (session: string, player: number) => appUrl(`game-sessions/${session}/players/${players[player]}`)
  return { app, type, first, second, players, of, board, write, place }
}

describe('with scoreMode latest', () => {
  test('the score that was written last counts, whatever is better, on every board and in every rank', async () => {
    const { app, first, second, players, of, board, write } = await game('latest', [50, 40], { segments: ['country'] })
    await app.patch(appUrl(`players/${players[0]}`), { attributes: { country: 'DE' } })
    for (const more of ['', '&window=day', '&segment=country:DE']) await board(more)
    await write(second, 0, 10)
    const expected = [
      [1, 40, 1],
      [0, 10, 2],
    ]
    expect(await board()).toEqual(expected)
    expect(await board('&window=day')).toEqual(expected)
    expect(await board('&segment=country:DE')).toEqual([[0, 10, 1]])
    expect(await rankOf(app, players[0]!, of)).toBe(2)
    await write(first, 0, 50)
    expect(await board()).toEqual([
      [0, 50, 1],
      [1, 40, 2],
    ])
  })

  test('the one before counts again once its session is deleted or the player is removed from it', async () => {
    const { app, first, second, board, write, place } = await game('latest', [50])
    await board('&window=day')
    await write(second, 0, 10)
    await app.delete(place(second, 0))
    expect([await board(), await board('&window=day')]).toEqual([[[0, 50, 1]], [[0, 50, 1]]])
    await app.delete(appUrl(`game-sessions/${first}`))
    expect([await board(), await board('&window=day')]).toEqual([[], []])
  })
})

describe('with scoreMode sum', () => {
  test('the scores of all sessions are added, and a new score of a session takes the place of the one before', async () => {
    const { app, first, second, players, of, board, write } = await game('sum', [30, 25], { segments: ['country'] })
    await app.patch(appUrl(`players/${players[1]}`), { attributes: { country: 'FR' } })
    for (const more of ['', '&window=week']) await board(more)
    await write(second, 1, 10)
    for (const more of ['', '&window=week'])
      expect(await board(more)).toEqual([
        [1, 35, 1],
        [0, 30, 2],
      ])
    expect(await board('&segment=country:FR')).toEqual([[1, 35, 1]])
    await write(first, 1, 5)
    expect(await board()).toEqual([
      [0, 30, 1],
      [1, 15, 2],
    ])
    expect(await rankOf(app, players[1]!, of)).toBe(2)
  })

  test('equal totals share a rank, and the one that was reached first is above', async () => {
    const { second, board, write } = await game('sum', [10, 30, 5])
    await write(second, 2, 25)
    await write(second, 0, 20)
    await write(second, 1, 0)
    expect(await board()).toEqual([
      [1, 30, 1],
      [2, 30, 1],
      [0, 30, 1],
    ])
  })

  test('decimal numbers are added exactly', async () => {
    const { second, board, write } = await game('sum', [0.1])
    await write(second, 0, 0.2)
    expect(await board()).toEqual([[0, 0.3, 1]])
  })

  test('corrections, removals and hidden players change totals and ranks at once', async () => {
    const { app, of, first, second, players, board, write, place } = await game('sum', [30, 20])
    await write(second, 0, 5)
    await app.post(`${place(first, 0)}/correction`, { score: 1 })
    expect(await board()).toEqual([
      [1, 20, 1],
      [0, 6, 2],
    ])
    await app.patch(appUrl(`players/${players[1]}`), { standing: 'hidden' })
    await write(second, 1, 7)
    expect(await board()).toEqual([[0, 6, 1]])
    const { body } = await app.post('/auth/player-token', { playerId: players[1] })
    const self = service.as({ ...app.headers, authorization: `Bearer ${body.playerToken}` })
    const shown = await entriesOf(self, `leaderboards/mini-game${of}`)
    expect(shown[0]).toMatchObject({ playerId: players[1], playerScore: 27 })
    await app.patch(appUrl(`players/${players[1]}`), { standing: 'normal' })
    await app.delete(place(first, 1))
    expect(await board()).toEqual([
      [1, 7, 1],
      [0, 6, 2],
    ])
  })

  test('a held score counts once it is accepted, and no longer once it is rejected', async () => {
    const { app, type, second, board, place } = await game('sum', [30])
    await app.patch(appUrl(`mini-game-types/${type.id}`), { rules: { requireMetadata: ['replay'] } })
    const { reviewId } = (await app.patch(place(second, 0), { score: 12 })).body
    expect(await board()).toEqual([[0, 30, 1]])
    await app.post(appUrl(`reviews/${reviewId}`), { decision: 'accept' })
    expect(await board()).toEqual([[0, 42, 1]])
    await app.post(appUrl(`reviews/${reviewId}`), { decision: 'reject' })
    expect(await board()).toEqual([[0, 30, 1]])
  })

  test('maxIncrease compares the total before and after', async () => {
    const { app, first, second, board, place } = await game('sum', [100], { rules: { maxIncrease: 50 } })
    expect((await app.patch(place(second, 0), { score: 51 })).body.state).toBe('held')
    expect((await app.patch(place(first, 0), { score: 151 })).body.state).toBe('held')
    expect((await app.patch(place(first, 0), { score: 150 })).body.state).toBeUndefined()
    expect((await app.patch(place(second, 0), { score: 50 })).body.state).toBeUndefined()
    expect(await board()).toEqual([[0, 200, 1]])
  })

  test('a score that could make a total exceed a double is 400, and writes nothing', async () => {
    const { app, first, board, place, players } = await game('sum', [1e300, 2])
    const refused = { status: 400, body: { error: [{ code: 'score_out_of_bounds', path: ['score'] }] } }
    expect(await app.patch(place(first, 0), { score: 1.1e300 })).toMatchObject(refused)
    const scores = [
      { playerId: players[0], score: 5 },
      { playerId: players[1], score: -1.1e300 },
    ]
    expect(await app.post(appUrl(`game-sessions/${first}/scores`), { scores })).toMatchObject({ status: 400 })
    expect(await board()).toEqual([
      [0, 1e300, 1],
      [1, 2, 2],
    ])
  })

  test('an import gives players without a score their total, and adds nothing when it is repeated', async () => {
    const { app, of, second, board, players, write } = await game('sum', [30])
    const { displayName } = (await app.get(appUrl(`players/${players[0]}`))).body
    const send = async () => {
      const bytes = `player_name,score\n${displayName},1000\nNew one,40\n`
      return (await app.post(appUrl(`leaderboards/import${of}`), formOf({ name: 'scores.csv', bytes }))).body
    }
    expect(await send()).toMatchObject({ summary: { applied: 1, skipped: 1 }, rows: [{ code: 'has_score' }] })
    expect(await send()).toMatchObject({ summary: { applied: 0, skipped: 2 } })
    await write(second, 0, 20)
    expect(await board()).toEqual([
      [0, 50, 1],
      [-1, 40, 2],
    ])
  })
})

describe('the mode of a type', () => {
  test('is best by default, and can be changed until a score is written', async () => {
    const { app, type, first, write, board, second } = await game('best', [undefined])
    const path = appUrl(`mini-game-types/${type.id}`)
    expect((await app.get(path)).body.scoreMode).toBe('best')
    expect(await app.patch(path, { scoreMode: 'sum' })).toMatchObject({ status: 200, body: { scoreMode: 'sum' } })
    await write(first, 0, 2)
    await write(second, 0, 3)
    expect(await board()).toEqual([[0, 5, 1]])
    expect(await app.patch(path, { scoreMode: 'best' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('create another type') },
    })
    expect((await app.patch(path, { scoreMode: 'sum', description: 'Points' })).status).toBe(200)
  })
})
