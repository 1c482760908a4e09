import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, nextOf, setScore, unknownId } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const join = async (app: Caller, playerId: string, session: object, score?: number) => {
  const { id } = await makeSession(app, session)
  await app.post(appUrl(`game-sessions/${id}/players`), { playerId })
  if (score !== undefined) await setScore(app, id, playerId, score)
  return id
}

test("a player's written scores come newest first, with session and type; what was never written does not", async () => {
  const app = await given.app()
  const [player, other] = [await given.player(app), await given.player(app)]
  const dive = await makeType(app, 'Dive')
  const first = await join(app, player.id, { name: 'Dusk' }, 3)
  const second = await join(app, player.id, { miniGameTypeId: dive.id }, -4.5)
  await join(app, player.id, {})
  await join(app, other.id, {}, 9)
  await app.delete(appUrl(`mini-game-types/${dive.id}`))
  const { status, body, headers } = await app.get(appUrl(`players/${player.id}/scores`))
  expect(status).toBe(200)
  const { createdAt, updatedAt } = (await app.get(appUrl(`game-sessions/${first}/players/${player.id}`))).body
  expect(body).toEqual({
    scores: [
      {
        gameSessionId: second,
        gameSessionName: null,
        miniGameTypeId: dive.id,
        miniGameTypeName: 'Dive',
        score: -4.5,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      {
        gameSessionId: first,
        gameSessionName: 'Dusk',
        miniGameTypeId: null,
        miniGameTypeName: null,
        score: 3,
        createdAt,
        updatedAt,
      },
    ],
  })
  expect(headers.get('x-total-count')).toBe('2')
})

test('they are paged, each once, and of one type where it is named', async () => {
  const app = await given.app()
  const player = await given.player(app)
  const dive = await makeType(app, 'Dive')
  for (let i = 0; i < 5; i++) await join(app, player.id, i % 2 ? {} : { miniGameTypeId: dive.id }, i)
  const follow = async (query: string) => {
    const seen: number[] = []
    let path: string | undefined = appUrl(`players/${player.id}/scores?${query}`)
    while (path) {
      const { body, headers } = await app.get(path)
      seen.push(...body.scores.map(({ score }: { score: number }) => score))
      path = nextOf(headers)
    }
    return seen
  }
  for (const limit of [1, 2, 5]) expect(await follow(`limit=${limit}`), `limit ${limit}`).toEqual([4, 3, 2, 1, 0])
  expect(await follow(`limit=2&miniGameTypeId=${dive.id}`)).toEqual([4, 2, 0])
  expect(await follow('limit=1&miniGameTypeId=default'), 'the default game').toEqual([3, 1])
})

test('a player without a score has none; an unknown player, one of another app, and an unknown type are 404', async () => {
  const [app, other] = [await given.app(), await given.app()]
  const [player, foreign] = [await given.player(app), await given.player(other)]
  await join(other, foreign.id, {}, 1)
  expect((await app.get(appUrl(`players/${player.id}/scores`))).body).toEqual({ scores: [] })
  for (const id of [foreign.id, unknownId, 'no-id'])
    expect(await app.get(appUrl(`players/${id}/scores`))).toMatchObject({
      status: 404,
      body: { error: 'Player not found' },
    })
  expect((await app.get(appUrl(`players/${player.id}/scores?miniGameTypeId=${unknownId}`))).status).toBe(404)
})
