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

describe('scores', () => {
  test('any finite number is a score, and −0 is 0; infinities, texts and nothing are 400', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [undefined])
    const path = appUrl(`game-sessions/${id}/players/${player!.id}`)
    for (const score of [5e-324, -1.5, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 53]) {
      await setScore(app, id, player!.id, score)
      expect((await app.get(appUrl(`players/${player!.id}/global-ranking`))).body.highestScore).toBe(score)
    }
    const headers = { ...app.headers, 'content-type': 'application/json' }
    expect((await service.request('PATCH', path, '{"score": -0}', headers)).body.score).toBe(0)
    for (const body of ['{"score": 1e999}', '{"score": "5"}', '{"score": null}', '{}']) {
      const answer = await service.request('PATCH', path, body, headers)
      expect(answer).toMatchObject({ status: 400, body: { error: [{ path: ['score'], code: 'invalid_type' }] } })
    }
    expect((await app.get(appUrl(`game-sessions/${id}/players`))).body.players[0].score).toBe(0)
  })

  test('of a batch too are any finite numbers; texts such as NaN and numbers beyond a double are 400', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [undefined, undefined, undefined, undefined])
    const values = [5e-324, -1.7976931348623157e308, 0.1 + 0.2, 0]
    const scores = players.map((player, i) => ({ playerId: player.id, score: values[i] }))
    const answer = await app.post(appUrl(`game-sessions/${id}/scores`), { scores })
    expect(answer.body.players.map(({ score }: { score: number }) => score)).toEqual(values)
    expect((await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard).toMatchObject([
      { playerScore: 0.1 + 0.2, ranking: 1 },
      { playerScore: 5e-324, ranking: 2 },
      { playerScore: 0, ranking: 3 },
      { playerScore: -1.7976931348623157e308, ranking: 4 },
    ])

    const headers = { ...app.headers, 'content-type': 'application/json' }
    const batch = (score: string) => `{"scores": [{"playerId": "${players[0]!.id}", "score": ${score}}]}`
    for (const score of ['1e400', '-1e400', '"NaN"', '"Infinity"', '"7"', 'true', '[7]', 'null']) {
      const bad = await service.request('POST', appUrl(`game-sessions/${id}/scores`), batch(score), headers)
      expect(bad, score).toMatchObject({
        status: 400,
        body: { error: [{ path: ['scores', 0, 'score'], code: 'invalid_type' }] },
      })
      const one = await service.request(
        'PATCH',
        appUrl(`game-sessions/${id}/players/${players[0]!.id}`),
        `{"score": ${score}}`,
        headers,
      )
      expect(one, score).toMatchObject({ status: 400, body: { error: [{ path: ['score'], code: 'invalid_type' }] } })
    }
    for (const score of ['NaN', 'Infinity', '-Infinity', '1e', '+1', '0x10']) {
      const bad = await service.request('POST', appUrl(`game-sessions/${id}/scores`), batch(score), headers)
      expect(bad, score).toMatchObject({ status: 400, body: { error: expect.stringContaining('not valid JSON') } })
    }
    for (const bound of ['1e400', '"0"'])
      expect(
        await service.request('POST', appUrl('mini-game-types'), `{"name": "Bad", "minScore": ${bound}}`, headers),
      ).toMatchObject({ status: 400, body: { error: [{ path: ['minScore'] }] } })
    expect((await app.get(appUrl(`game-sessions/${id}/players`))).body.players[0].score).toBe(5e-324)
  })

  test('that were written stay when bounds are set later; new ones must keep them, the bounds included', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Bounded')
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    const [player, other] = await playSession(given, app, id, [50, 1])
    await app.patch(appUrl(`mini-game-types/${type.id}`), { minScore: -1, maxScore: 10 })
    expect(
      (await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${type.id}`))).body.leaderboard[0],
    ).toMatchObject({
      playerId: player!.id,
      playerScore: 50,
    })
    for (const score of [10, -1]) await setScore(app, id, other!.id, score)
    for (const score of [10.000000000000002, -1.0000000000000002])
      expect(await app.patch(appUrl(`game-sessions/${id}/players/${other!.id}`), { score })).toMatchObject({
        status: 400,
        body: { error: [{ code: 'score_out_of_bounds' }] },
      })
  })

  test('a batch takes 1 to 1000 scores', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const many = (count: number) => ({
      scores: Array.from({ length: count }, () => ({ playerId: crypto.randomUUID(), score: 1 })),
    })
    for (const [count, code] of [
      [0, 'too_small'],
      [1001, 'too_big'],
      [1000, 'not_registered'],
    ] as const)
      expect(await app.post(appUrl(`game-sessions/${id}/scores`), many(count))).toMatchObject({
        status: 400,
        body: { error: expect.arrayContaining([expect.objectContaining({ code })]) },
      })
  })

  test('are taken while the session is active only; from a player that is registered', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [4])
    const stranger = await given.player(app)
    const write = (playerId: string) => app.patch(appUrl(`game-sessions/${id}/players/${playerId}`), { score: 5 })
    for (const playerId of [stranger.id, unknownId, 'no-id']) {
      expect(await write(playerId)).toMatchObject({ status: 404, body: { error: 'Game session player not found' } })
    }
    for (const status of ['PAUSED', 'COMPLETED']) {
      await app.patch(appUrl(`game-sessions/${id}`), { status })
      expect(await write(player!.id)).toMatchObject({ status: 409 })
      const batch = { scores: [{ playerId: player!.id, score: 5 }] }
      expect(await app.post(appUrl(`game-sessions/${id}/scores`), batch)).toMatchObject({ status: 409 })
    }
    expect((await app.get(appUrl(`game-sessions/${id}/players`))).body.players[0].score).toBe(4)
  })

  test('a game recorded after the fact ends as it starts and still takes players and scores', async () => {
    const app = await given.app()
    const session = await makeSession(app, { status: 'COMPLETED' })
    expect(session).toMatchObject({ status: 'COMPLETED', endTime: session.startTime })
    const [player] = await playSession(given, app, session.id, [12])
    expect(await rankOf(app, player!.id)).toBe(1)
  })

  test('must lie within the bounds of the type', async () => {
    const app = await given.app()
    await makeType(app, 'Bounded', { minScore: 0, maxScore: 10 })
    const { id } = await makeSession(app, { miniGameTypeName: 'Bounded' })
    const [player] = await playSession(given, app, id, [10])
    for (const score of [-0.001, 10.001]) {
      expect(await app.patch(appUrl(`game-sessions/${id}/players/${player!.id}`), { score })).toMatchObject({
        status: 400,
        body: {
          error: [{ code: 'score_out_of_bounds', path: ['score'], message: expect.stringContaining('0 and 10') }],
        },
      })
    }
  })

  test('of a batch are written all or not at all, and each item at fault is named', async () => {
    const app = await given.app()
    await makeType(app, 'Bounded', { maxScore: 10 })
    const { id } = await makeSession(app, { miniGameTypeName: 'bounded' })
    const [one, two] = await playSession(given, app, id, [1, 2])
    const stranger = await given.player(app)
    const post = (...scores: { playerId: string; score: number }[]) =>
      app.post(appUrl(`game-sessions/${id}/scores`), { scores })
    expect(await post({ playerId: two!.id, score: 9 }, { playerId: one!.id, score: 8 })).toMatchObject({
      status: 200,
      body: {
        players: [
          { playerId: two!.id, score: 9 },
          { playerId: one!.id, score: 8, displayName: one!.displayName },
        ],
      },
    })
    const bad = await post(
      { playerId: one!.id, score: 3 },
      { playerId: two!.id, score: 11 },
      { playerId: stranger.id, score: 3 },
    )
    expect(bad).toMatchObject({
      status: 400,
      body: {
        error: [
          { code: 'score_out_of_bounds', path: ['scores', 1, 'score'] },
          { code: 'not_registered', path: ['scores', 2, 'playerId'] },
        ],
      },
    })
    expect(await post({ playerId: one!.id, score: 3 }, { playerId: one!.id, score: 4 })).toMatchObject({
      status: 400,
      body: { error: [{ code: 'duplicate_player', path: ['scores', 1, 'playerId'] }] },
    })
    expect(await post()).toMatchObject({ status: 400, body: { error: [{ path: ['scores'] }] } })
    const { players } = (await app.get(appUrl(`game-sessions/${id}/players`))).body
    expect(players.map(({ score }: { score: number }) => score)).toEqual([8, 9])
    expect(await rankOf(app, two!.id, '?miniGameTypeName=Bounded')).toBe(1)
  })
})
