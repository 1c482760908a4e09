import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const metadata = { ghost: 'r-17', splits: [12.5, 9], note: 'Zoë “fast”', nested: { b: 1, a: null } }

/** A session with one player, whose score has metadata. */
async function scored() {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [player] = await playSession(given, app, id, [undefined])
  const path = appUrl(`game-sessions/${id}/players/${player!.id}`)
  const write = (body: object) => app.patch(path, body)
  expect(await write({ score: 5, metadata })).toMatchObject({ status: 200, body: { score: 5, metadata } })
  return { app, id, player: player!, path, write }
}

/** What each read of a score shows of the player. */
async function reads({ app, id, player, path }: Awaited<ReturnType<typeof scored>>): Promise<object[]> {
  const entry = async (query: string) => (await app.get(appUrl(query))).body.leaderboard[0]
  return [
    (await app.get(path)).body,
    (await app.get(appUrl(`game-sessions/${id}/players`))).body.players[0],
    (await app.get(appUrl(`players/${player.id}/scores`))).body.scores[0],
    (await app.get(appUrl('leaderboards'))).body.leaderboards[0].leaderboard[0],
    await entry('leaderboards/mini-game'),
    await entry(`leaderboards/mini-game?aroundPlayerId=${player.id}`),
    await entry(`leaderboards/mini-game?playerIds=${player.id}`),
    await entry('leaderboards/mini-game?window=day'),
    await entry(`game-sessions/${id}/leaderboard`),
  ]
}

describe('metadata of a score', () => {
  test('is shown wherever the score is, with its members in order', async () => {
    const world = await scored()
    for (const read of await reads(world)) {
      expect(read).toMatchObject({ metadata })
      expect(JSON.stringify((read as { metadata: object }).metadata)).toBe(JSON.stringify(metadata))
    }
  })

  test('is cleared by a score without it, and then absent from every answer', async () => {
    const world = await scored()
    await reads(world)
    expect((await world.write({ score: 6 })).body).not.toHaveProperty('metadata')
    for (const read of await reads(world)) expect(read).not.toHaveProperty('metadata')
  })

  test('belongs to the score of its session: a better session brings its own', async () => {
    const { app, player } = await scored()
    const other = await makeSession(app)
    await app.post(appUrl(`game-sessions/${other.id}/players`), { playerId: player.id })
    const top = async () => (await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard[0]
    await setScore(app, other.id, player.id, 9)
    expect(await top()).not.toHaveProperty('metadata')
    await app.delete(appUrl(`game-sessions/${other.id}`))
    expect(await top()).toMatchObject({ playerScore: 5, metadata })
  })

  test('is set for each score of a batch', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [one, two] = await playSession(given, app, id, [undefined, undefined])
    const scores = [
      { playerId: one!.id, score: 2, metadata },
      { playerId: two!.id, score: 1 },
    ]
    const { body } = await app.post(appUrl(`game-sessions/${id}/scores`), { scores })
    expect(body.players[0]).toMatchObject({ metadata })
    expect(body.players[1]).not.toHaveProperty('metadata')
    const { leaderboard } = (await app.get(appUrl('leaderboards/mini-game'))).body
    expect(leaderboard[0]).toMatchObject({ metadata })
    expect(leaderboard[1]).not.toHaveProperty('metadata')
  })

  test('fits for a thousand scores into one request, and is refused above 1 KiB', async () => {
    const { app, id, player, write } = await scored()
    const full = { text: 'x'.repeat(1024 - '{"text":""}'.length) }
    expect((await write({ score: 1, metadata: full })).body.metadata).toEqual(full)
    expect(await write({ score: 1, metadata: { text: `${full.text}x` } })).toMatchObject({
      status: 400,
      body: { error: [{ path: ['metadata'] }] },
    })
    const scores = Array(1000).fill({ playerId: player.id, score: 1, metadata: full })
    const { status, body } = await app.post(appUrl(`game-sessions/${id}/scores`), { scores })
    expect({ status, code: body.error[0].code }).toEqual({ status: 400, code: 'duplicate_player' })
  })

  test.each([['text'], [[1]], [null], [7]])('must be an object: %j is 400', async (wrong) => {
    const { write } = await scored()
    expect(await write({ score: 1, metadata: wrong })).toMatchObject({ status: 400 })
  })
})
