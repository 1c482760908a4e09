// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { type Expected, ScoreModel } from '../../../test/scoring/score-model.ts'
import { appUrl, makeSession, makeType, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const rounds = Number(process.env.CAIRN_TEST_ROUNDS || 30)
const place = fc.nat(7)
/** Few values, so that equal, rising and falling scores all happen; the ends of what a double holds too. */
const score = fc.constantFrom(0, -0, 1, 1, 2, 3, 5, -1, 0.5, 5e-324, 1.7976931348623157e308, -1.7976931348623157e308)
const operation = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('session' as const), type: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('player' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('register' as const), session: place, player: place }) },
  { weight: 14, arbitrary: fc.record({ do: fc.constant('write' as const), session: place, player: place, score }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      session: place,
      scores: fc.array(fc.tuple(place, score), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), session: place, player: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), session: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteSession' as const), session: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deletePlayer' as const), player: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hide' as const) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** An app and the model of it, both after the same operations. */
async function makeBoth() {
  const app = await given.app()
  const model = new ScoreModel()
  const types = [null, (await makeType(app, 'Race', { sortOrder: 'asc' })).id, (await makeType(app, 'Hunt')).id]
  const hidden = new Set<string | null>()
  model.ascending.add(types[1]!)
  for (const type of types) model.addSession((await makeSession(app, { miniGameTypeId: type })).id, type)
  for (let i = 0; i < 4; i++) model.players.push((await given.player(app)).id)
  for (const session of model.sessions.keys()) {
    for (const player of model.players) await register(app, model, session, player)
  }
  return { app, model, types, hidden }
}
type Both = Awaited<ReturnType<typeof makeBoth>>

async function register(app: Caller, model: ScoreModel, session: string, player: string) {
  const { status } = await app.post(appUrl(`game-sessions/${session}/players`), { playerId: player })
  expect([200, 201]).toContain(status)
  model.register(session, player)
}

async function perform({ app, model, types, hidden }: Both, step: Operation): Promise<void> {
  const sessions = [...model.sessions.values()]
  const session = 'session' in step ? sessions[step.session % sessions.length] : undefined
  const player = 'player' in step ? model.players[step.player % model.players.length] : undefined
  const path = appUrl(`game-sessions/${session?.id}`)
  if ('session' in step && !session) return
  if ('player' in step && !player) return
  if (step.do === 'session') {
    const type = types[step.type]!
    const { status, body } = await app.post(appUrl('game-sessions'), { miniGameTypeId: type })
    expect(status).toBe(hidden.has(type) ? 404 : 201)
    if (status === 201) model.addSession(body.id, type)
  } else if (step.do === 'player') model.players.push((await given.player(app)).id)
  else if (step.do === 'register') await register(app, model, session!.id, player!)
  else if (step.do === 'write') {
    const { status } = await app.patch(`${path}/players/${player}`, { score: step.score })
    expect(status).toBe(model.write(session!.id, player!, step.score))
  } else if (step.do === 'batch') {
    for (const [i, value] of step.scores) {
      // One at a time, so that no two scores share a moment.
      const playerId = model.players[i % model.players.length]
      if (!playerId) return
      const { status } = await app.post(`${path}/scores`, { scores: [{ playerId, score: value }] })
      const expected = model.write(session!.id, playerId, value)
      expect(status).toBe(expected === 404 ? 400 : expected)
    }
  } else if (step.do === 'remove') {
    const { status } = await app.delete(`${path}/players/${player}`)
    expect(status).toBe(session!.places.delete(player!) ? 204 : 404)
  } else if (step.do === 'pause') {
    session!.isRunning = !session!.isRunning
    await app.patch(path, { status: session!.isRunning ? 'ACTIVE' : 'PAUSED' })
  } else if (step.do === 'deleteSession') {
    expect((await app.delete(path)).status).toBe(204)
    model.sessions.delete(session!.id)
  } else if (step.do === 'deletePlayer') {
    expect((await app.delete(appUrl(`players/${player}`))).status).toBe(204)
    model.removePlayer(player!)
  } else if (!hidden.has(types[2]!)) {
    expect((await app.delete(appUrl(`mini-game-types/${types[2]}`))).status).toBe(204)
    hidden.add(types[2]!)
  }
}

const shown = (entries: (Expected & object)[]) =>
  entries.map(({ playerId, playerScore, ranking, gameSessionId }) => ({
    playerId,
    playerScore,
    ranking,
    gameSessionId,
  }))

/** Boards of types and of sessions, all boards, and every player's ranks. */
async function expectEqual({ app, model, types, hidden }: Both): Promise<void> {
  const visible = [types[0]!, types[2]!, types[1]!].filter((type) => !hidden.has(type)) // by name: Hunt, Race
  const { leaderboards } = (await app.get(appUrl('leaderboards'))).body
  expect(leaderboards.map((board: { leaderboard: Expected[] }) => shown(board.leaderboard))).toEqual(
    visible.map((type) => model.board(type)),
  )
  for (const type of visible) {
    const board = model.board(type)
    const query = type === null ? '' : `?miniGameTypeId=${type}`
    const answer = await app.get(appUrl(`leaderboards/mini-game${query}`))
    expect(shown(answer.body.leaderboard)).toEqual(board)
    expect(answer.headers.get('x-total-count')).toBe(String(board.length))
    for (const player of model.players)
      expect(await rankOf(app, player, query)).toBe(board.find(({ playerId }) => playerId === player)?.ranking)
  }
  for (const { id, type, places } of model.sessions.values()) {
    expect(shown((await app.get(appUrl(`game-sessions/${id}/leaderboard`))).body.leaderboard)).toEqual(
      model.board(type, id),
    )
    expect((await app.get(appUrl(`game-sessions/${id}`))).body.playerCount).toBe(places.size)
  }
}

test('after any operations boards, ranks and sessions are what the rules say', {
  timeout: 300_000 + rounds * 2_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 30, maxLength: 60 }), async (steps) => {
      const both = await makeBoth()
      for (const [i, step] of steps.entries()) {
        await perform(both, step)
        if (i % 20 === 19) await expectEqual(both)
      }
      await expectEqual(both)
    }),
    { numRuns: Math.ceil(rounds / 3) },
  )
})
