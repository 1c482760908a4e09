import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let given: ReturnType<typeof givenOn>
beforeAll(async () => {
  service = await startService()
  given = givenOn(service)
})
afterAll(() => service.stop())

const at = (path: string) => `/api/v1/apps/${path}`
const unknownId = '0193a7c0-0000-7000-8000-000000000000'

async function makeType(app: Caller, name: string, more: object = {}) {
  const { status, body } = await app.post(at('mini-game-types'), { name, ...more })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { id: string; name: string }
}

async function makeSession(app: Caller, session: object = {}) {
  const { status, body } = await app.post(at('game-sessions'), session)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { id: string; startTime: string }
}

/** Players of a session, with scores where given. */
async function play(app: Caller, sessionId: string, scores: (number | undefined)[]) {
  const players = []
  for (const score of scores) {
    const player = await given.player(app)
    await app.post(at(`game-sessions/${sessionId}/players`), { playerId: player.id })
    if (score !== undefined) await setScore(app, sessionId, player.id, score)
    players.push(player)
  }
  return players
}

async function setScore(app: Caller, sessionId: string, playerId: string, score: number) {
  const answer = await app.patch(at(`game-sessions/${sessionId}/players/${playerId}`), { score })
  expect(answer).toMatchObject({ status: 200, body: { score } })
}

const rankOf = async (app: Caller, playerId: string, query = '') =>
  (await app.get(at(`players/${playerId}/global-ranking${query}`))).body.ranking as number | undefined

describe('mini game types', () => {
  test('a created type answers 201 with the whole record and is listed by name', async () => {
    const app = await given.app()
    const zoo = await app.post(at('mini-game-types'), { name: ' Zoo ' })
    expect(zoo).toMatchObject({
      status: 201,
      body: { name: 'Zoo', description: '', imageUrl: null, sortOrder: 'desc' },
    })
    expect(zoo.body).toMatchObject({ minScore: null, maxScore: null })
    expect(zoo.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const ant = await makeType(app, 'ant', { description: 'Small', imageUrl: 'https://example.org/ant.png' })
    expect((await app.get(at('mini-game-types'))).body).toEqual({ miniGameTypes: [ant, zoo.body] })
  })

  test('a name belongs to one type of an app, whatever its case and outer spaces', async () => {
    const app = await given.app()
    await makeType(app, 'Hunt')
    expect(await app.post(at('mini-game-types'), { name: ' hunt ' })).toMatchObject({
      status: 409,
      body: { error: 'This app already has a mini game type named "hunt"' },
    })
    await makeType(await given.app(), 'Hunt')
  })

  test('what is missing or malformed is 400 with its place', async () => {
    const app = await given.app()
    for (const [body, path] of [
      [{}, ['name']],
      [{ name: ' ' }, ['name']],
      [{ name: 'A', imageUrl: 'javascript:alert(1)' }, ['imageUrl']],
      [{ name: 'A', minScore: 2, maxScore: 1 }, ['maxScore']],
    ] as const) {
      expect(await app.post(at('mini-game-types'), body)).toMatchObject({ status: 400, body: { error: [{ path }] } })
    }
  })
})

describe('game sessions', () => {
  test('a session without a type is one of the default game, and starts ACTIVE', async () => {
    const app = await given.app()
    const session = await app.post(at('game-sessions'), {})
    expect(session).toMatchObject({
      status: 201,
      body: { name: null, description: null, status: 'ACTIVE', endTime: null, miniGameType: null, playerCount: 0 },
    })
    expect(session.body).not.toHaveProperty('paused')
    expect((await app.get(at(`game-sessions/${session.body.id}`))).body).toEqual(session.body)
    expect(await app.post(at('game-sessions'))).toMatchObject({ status: 201, body: { status: 'ACTIVE' } }) // all is optional
  })

  test('a type is named by id, by name in whatever case, or by both if they agree', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const race = await makeType(app, 'Race')
    for (const choice of [
      { miniGameTypeId: hunt.id },
      { miniGameTypeName: 'HUNT' },
      { miniGameTypeId: hunt.id, miniGameTypeName: 'hunt' },
    ]) {
      expect(await app.post(at('game-sessions'), choice)).toMatchObject({ status: 201, body: { miniGameType: hunt } })
    }
    const disagreeing = { miniGameTypeId: hunt.id, miniGameTypeName: race.name }
    expect(await app.post(at('game-sessions'), disagreeing)).toMatchObject({ status: 400 })
    const others = await makeType(await given.app(), 'Elsewhere')
    for (const unknown of [
      { miniGameTypeId: unknownId },
      { miniGameTypeId: 'no-id' },
      { miniGameTypeId: others.id },
      { miniGameTypeName: 'Nothing' },
    ]) {
      expect(await app.post(at('game-sessions'), unknown)).toMatchObject({
        status: 404,
        body: { error: 'Mini game type not found' },
      })
    }
  })

  test('are listed newest first, by status and type; a paused one counts as ACTIVE', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const running = await makeSession(app, { miniGameTypeId: hunt.id })
    const paused = await makeSession(app, { status: 'PAUSED' })
    const over = await makeSession(app, { status: 'COMPLETED', miniGameTypeName: 'hunt' })
    const list = async (query: string) =>
      ((await app.get(at(`game-sessions${query}`))).body.gameSessions as { id: string }[]).map(({ id }) => id)
    expect(await list('')).toEqual([over.id, paused.id, running.id])
    expect(await list('?status=ACTIVE')).toEqual([paused.id, running.id])
    expect(await list('?status=PAUSED')).toEqual([paused.id])
    expect(await list('?status=COMPLETED')).toEqual([over.id])
    expect(await list(`?miniGameTypeId=${hunt.id}`)).toEqual([over.id, running.id])
    expect(await list('?miniGameTypeName=Hunt&status=ACTIVE')).toEqual([running.id])
    expect(await app.get(at('game-sessions?miniGameTypeName=None'))).toMatchObject({ status: 404 })
    expect(await app.get(at('game-sessions?status=active'))).toMatchObject({ status: 400 })
    expect(await (await given.app()).get(at('game-sessions'))).toMatchObject({ body: { gameSessions: [] } })
  })

  test('ACTIVE and PAUSED change places, either becomes COMPLETED, and that is final', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const move = (status: string) => app.patch(at(`game-sessions/${id}`), { status })
    expect(await move('PAUSED')).toMatchObject({ status: 200, body: { status: 'ACTIVE', paused: true, endTime: null } })
    const resumed = await move('ACTIVE')
    expect(resumed.body).toMatchObject({ status: 'ACTIVE', endTime: null })
    expect(resumed.body).not.toHaveProperty('paused')
    await move('PAUSED')
    const over = await move('COMPLETED')
    expect(over).toMatchObject({ status: 200, body: { status: 'COMPLETED', endTime: expect.any(String) } })
    expect(await move('ACTIVE')).toMatchObject({ status: 409 })
    expect(await move('PAUSED')).toMatchObject({ status: 409 })
    expect((await move('COMPLETED')).body).toEqual(over.body)
    expect(await app.patch(at(`game-sessions/${id}`), { name: 'Final' })).toMatchObject({
      status: 200,
      body: { name: 'Final', endTime: over.body.endTime },
    })
  })

  test('PATCH changes what is named, clears what is null, and changes nothing when the move is refused', async () => {
    const app = await given.app()
    const { id } = await makeSession(app, { name: 'One', description: 'First' })
    expect((await app.patch(at(`game-sessions/${id}`), { name: null })).body).toMatchObject({
      name: null,
      description: 'First',
    })
    await app.patch(at(`game-sessions/${id}`), { status: 'COMPLETED' })
    expect(await app.patch(at(`game-sessions/${id}`), { name: 'Two', status: 'ACTIVE' })).toMatchObject({ status: 409 })
    expect((await app.get(at(`game-sessions/${id}`))).body).toMatchObject({ name: null })
  })

  test('those of other apps, unknown ones and malformed ids are 404', async () => {
    const app = await given.app()
    const theirs = await makeSession(await given.app())
    for (const id of [theirs.id, unknownId, 'no-id']) {
      for (const answer of [
        await app.get(at(`game-sessions/${id}`)),
        await app.patch(at(`game-sessions/${id}`), { status: 'COMPLETED' }),
        await app.get(at(`game-sessions/${id}/players`)),
        await app.post(at(`game-sessions/${id}/players`), { playerId: unknownId }),
        await app.patch(at(`game-sessions/${id}/players/${unknownId}`), { score: 1 }),
        await app.post(at(`game-sessions/${id}/scores`), { scores: [{ playerId: unknownId, score: 1 }] }),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { error: 'Game session not found' } })
      }
    }
    expect(await service.anonymous.get(at('game-sessions'))).toMatchObject({ status: 401 })
  })
})

describe('players of a session', () => {
  test('registering answers 201, again 200 with the same row, and never resets the score', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const player = await given.player(app, 'Ada')
    const path = at(`game-sessions/${id}/players`)
    const first = await app.post(path, { playerId: player.id })
    expect(first).toMatchObject({
      status: 201,
      body: { score: 0, playerId: player.id, displayName: 'Ada', imageUrl: null, user: null },
    })
    expect(await app.post(path, { playerId: player.id })).toMatchObject({ status: 200, body: first.body })
    await setScore(app, id, player.id, 7)
    expect(await app.post(path, { playerId: player.id })).toMatchObject({ status: 200, body: { score: 7 } })
    expect((await app.get(path)).body).toMatchObject({ players: [{ playerId: player.id, score: 7 }] })
    expect((await app.get(at(`game-sessions/${id}`))).body.playerCount).toBe(1)
  })

  test('a player linked to a user shows that user', async () => {
    const app = await given.app()
    const user = await given.user({ name: 'ada-l' })
    const { body: player } = await app.post(at('players'), { displayName: 'Linked', userId: user.id })
    const { id } = await makeSession(app)
    const registered = await app.post(at(`game-sessions/${id}/players`), { playerId: player.id })
    expect(registered.body.user).toEqual({ id: user.id, username: 'ada-l' })
    const scored = await app.patch(at(`game-sessions/${id}/players/${player.id}`), { score: 3 })
    expect(scored.body).toEqual({ ...registered.body, score: 3, updatedAt: scored.body.updatedAt })
  })

  test('an unknown player, or one of another app, is 404; a completed session takes none', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const theirs = await given.player(await given.app())
    for (const playerId of [theirs.id, unknownId, 'no-id']) {
      expect(await app.post(at(`game-sessions/${id}/players`), { playerId })).toMatchObject({
        status: 404,
        body: { error: 'Player not found' },
      })
    }
    expect(await app.post(at(`game-sessions/${id}/players`), {})).toMatchObject({
      status: 400,
      body: { error: [{ path: ['playerId'], code: 'invalid_type' }] },
    })
    const [player, late] = [await given.player(app), await given.player(app)]
    await app.patch(at(`game-sessions/${id}`), { status: 'PAUSED' })
    expect(await app.post(at(`game-sessions/${id}/players`), { playerId: player.id })).toMatchObject({ status: 201 })
    await app.patch(at(`game-sessions/${id}`), { status: 'COMPLETED' })
    expect(await app.post(at(`game-sessions/${id}/players`), { playerId: late.id })).toMatchObject({ status: 409 })
    expect(await app.post(at(`game-sessions/${id}/players`), { playerId: player.id })).toMatchObject({ status: 200 })
  })
})

describe('scores', () => {
  test('any finite number is a score, and −0 is 0; infinities, texts and nothing are 400', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await play(app, id, [undefined])
    const path = at(`game-sessions/${id}/players/${player!.id}`)
    for (const score of [5e-324, -1.5, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 53]) {
      await setScore(app, id, player!.id, score)
      expect((await app.get(at(`players/${player!.id}/global-ranking`))).body.highestScore).toBe(score)
    }
    const headers = { ...app.headers, 'content-type': 'application/json' }
    expect((await service.request('PATCH', path, '{"score": -0}', headers)).body.score).toBe(0)
    for (const body of ['{"score": 1e999}', '{"score": "5"}', '{"score": null}', '{}']) {
      const answer = await service.request('PATCH', path, body, headers)
      expect(answer).toMatchObject({ status: 400, body: { error: [{ path: ['score'], code: 'invalid_type' }] } })
    }
    expect((await app.get(at(`game-sessions/${id}/players`))).body.players[0].score).toBe(0)
  })

  test('are taken while the session is active only; from a player that is registered', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await play(app, id, [4])
    const stranger = await given.player(app)
    const write = (playerId: string) => app.patch(at(`game-sessions/${id}/players/${playerId}`), { score: 5 })
    for (const playerId of [stranger.id, unknownId, 'no-id']) {
      expect(await write(playerId)).toMatchObject({ status: 404, body: { error: 'Game session player not found' } })
    }
    for (const status of ['PAUSED', 'COMPLETED']) {
      await app.patch(at(`game-sessions/${id}`), { status })
      expect(await write(player!.id)).toMatchObject({ status: 409 })
      const batch = { scores: [{ playerId: player!.id, score: 5 }] }
      expect(await app.post(at(`game-sessions/${id}/scores`), batch)).toMatchObject({ status: 409 })
    }
    expect((await app.get(at(`game-sessions/${id}/players`))).body.players[0].score).toBe(4)
  })

  test('a game recorded after the fact ends as it starts and still takes players and scores', async () => {
    const app = await given.app()
    const session = await makeSession(app, { status: 'COMPLETED' })
    expect(session).toMatchObject({ status: 'COMPLETED', endTime: session.startTime })
    const [player] = await play(app, session.id, [12])
    expect(await rankOf(app, player!.id)).toBe(1)
  })

  test('must lie within the bounds of the type', async () => {
    const app = await given.app()
    await makeType(app, 'Bounded', { minScore: 0, maxScore: 10 })
    const { id } = await makeSession(app, { miniGameTypeName: 'Bounded' })
    const [player] = await play(app, id, [10])
    for (const score of [-0.001, 10.001]) {
      expect(await app.patch(at(`game-sessions/${id}/players/${player!.id}`), { score })).toMatchObject({
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
    const [one, two] = await play(app, id, [1, 2])
    const stranger = await given.player(app)
    const post = (...scores: { playerId: string; score: number }[]) =>
      app.post(at(`game-sessions/${id}/scores`), { scores })
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
    const { players } = (await app.get(at(`game-sessions/${id}/players`))).body
    expect(players.map(({ score }: { score: number }) => score)).toEqual([8, 9])
    expect(await rankOf(app, two!.id, '?miniGameTypeName=Bounded')).toBe(1)
  })
})

describe('rankings', () => {
  test('equal scores share a rank and the next one leaves a gap: 1-2-2-4', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await play(app, id, [30, 20, 20, 10])
    for (let again = 0; again < 2; again++) {
      expect(await Promise.all(players.map((player) => rankOf(app, player.id)))).toEqual([1, 2, 2, 4])
    }
  })

  test('a registered player without a written score has no ranking; a written 0 has one', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await play(app, id, [undefined])
    const none = { status: 404, body: { error: 'Player not found or has no ranking' } }
    expect(await app.get(at(`players/${player!.id}/global-ranking`))).toMatchObject(none)
    expect(await app.get(at(`players/${unknownId}/global-ranking`))).toMatchObject(none)
    expect((await app.get(at('leaderboards/mini-game'))).body.leaderboard).toEqual([])
    await setScore(app, id, player!.id, 0)
    expect(await app.get(at(`players/${player!.id}/global-ranking`))).toMatchObject({
      status: 200,
      body: { highestScore: 0, ranking: 1, miniGameTypeId: null, miniGameTypeName: null },
    })
  })

  test('a lowered score lowers the highest score at once, to the best of the other sessions', async () => {
    const app = await given.app()
    const [a, b] = [await makeSession(app), await makeSession(app)]
    const [player, rival] = await play(app, a.id, [50, 40])
    await app.post(at(`game-sessions/${b.id}/players`), { playerId: player!.id })
    await setScore(app, b.id, player!.id, 30)
    expect(await rankOf(app, player!.id)).toBe(1)
    await setScore(app, a.id, player!.id, 10)
    expect((await app.get(at(`players/${player!.id}/global-ranking`))).body).toMatchObject({
      highestScore: 30,
      ranking: 2,
    })
    expect(await rankOf(app, rival!.id)).toBe(1)
  })

  test('where lower is better, less ranks first and is the highest score', async () => {
    const app = await given.app()
    await makeType(app, 'Race', { sortOrder: 'asc' })
    const { id } = await makeSession(app, { miniGameTypeName: 'Race' })
    const players = await play(app, id, [30, 10, 20])
    const ranks = await Promise.all(players.map((player) => rankOf(app, player.id, '?miniGameTypeName=race')))
    expect(ranks).toEqual([3, 1, 2])
    const { leaderboard } = (await app.get(at('leaderboards/mini-game?miniGameTypeName=RACE'))).body
    expect(leaderboard.map((entry: { playerScore: number }) => entry.playerScore)).toEqual([10, 20, 30])
  })

  test('each type has a board of its own, and a player carries one ranking for each', async () => {
    const app = await given.app()
    const [zoo, ant] = [await makeType(app, 'Zoo'), await makeType(app, 'ant')]
    const sessions = [await makeSession(app), await makeSession(app, { miniGameTypeId: zoo.id })]
    const antSession = await makeSession(app, { miniGameTypeId: ant.id })
    const [player] = await play(app, sessions[0]!.id, [1, 5])
    await app.post(at(`game-sessions/${sessions[1]!.id}/players`), { playerId: player!.id })
    await setScore(app, sessions[1]!.id, player!.id, 7)
    await app.post(at(`game-sessions/${antSession.id}/players`), { playerId: player!.id })
    const { body } = await app.get(at(`players/${player!.id}?includeGlobalRankings=true`))
    expect(body.globalRankings).toEqual([
      { highestScore: 1, ranking: 2, miniGameTypeName: null, miniGameTypeId: null },
      { highestScore: 7, ranking: 1, miniGameTypeName: 'Zoo', miniGameTypeId: zoo.id },
    ])
    const { leaderboards } = (await app.get(at('leaderboards'))).body
    expect(leaderboards.map((board: { miniGameTypeName: string | null }) => board.miniGameTypeName)).toEqual([
      null,
      'ant',
      'Zoo',
    ])
    expect(leaderboards.map((board: { leaderboard: unknown[] }) => board.leaderboard.length)).toEqual([2, 0, 1])
    expect((await app.get(at('leaderboards?limit=1'))).body.leaderboards[0].leaderboard).toHaveLength(1)
    expect(await app.get(at(`players/${player!.id}/global-ranking?miniGameTypeName=Nothing`))).toMatchObject({
      status: 404,
      body: { error: 'Mini game type not found' },
    })
  })

  test('a leaderboard is by score, then by who reached it first; one entry a player, its best session', async () => {
    const app = await given.app()
    const [a, b] = [await makeSession(app), await makeSession(app)]
    const [later, first, top] = await play(app, a.id, [undefined, 10, 20])
    await setScore(app, a.id, later!.id, 10)
    await app.post(at(`game-sessions/${b.id}/players`), { playerId: first!.id })
    await setScore(app, b.id, first!.id, 10) // an equal score later does not move it
    await setScore(app, a.id, first!.id, 10) // nor does the same value again
    const { body } = await app.get(at('leaderboards/mini-game'))
    expect(body).toMatchObject({ miniGameTypeId: null, miniGameTypeName: null })
    expect(body.leaderboard).toEqual(
      [
        [top!, 20],
        [first!, 10],
        [later!, 10],
      ].map(([player, score]) => ({
        playerId: (player as { id: string }).id,
        playerDisplayName: (player as { displayName: string }).displayName,
        playerScore: score,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        gameSessionId: a.id,
        playerImageUrl: null,
        userId: null,
      })),
    )
    expect((await app.get(at('leaderboards/mini-game?limit=2'))).body.leaderboard).toHaveLength(2)
    for (const limit of ['0', '1001', '1e2', 'x', '', '5&limit=6']) {
      expect(await app.get(at(`leaderboards/mini-game?limit=${limit}`))).toMatchObject({
        status: 400,
        body: { error: [{ path: ['limit'] }] },
      })
    }
  })

  test('are right after many writers at once, each asking for its rank when its write is answered', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await play(app, id, Array(12).fill(0))
    const scores = new Map<string, number>()
    await Promise.all(
      players.map(async (player, i) => {
        for (let turn = 0; turn < 12; turn++) {
          const score = (turn * 7 + i * 5) % 11
          await setScore(app, id, player.id, score)
          scores.set(player.id, score)
          const rank = await rankOf(app, player.id)
          expect(rank).toBeGreaterThanOrEqual(1)
          expect(rank).toBeLessThanOrEqual(players.length)
        }
      }),
    )
    for (const player of players) {
      const better = [...scores.values()].filter((score) => score > scores.get(player.id)!).length
      expect(await rankOf(app, player.id)).toBe(better + 1)
    }
  })
})
