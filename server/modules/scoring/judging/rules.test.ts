import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService({ CAIRN_QUOTA_HELD_SCORES: '3' })
  given = buildersOn(service)
})
afterAll(() => service.stop())

/** A session of a type with rules, and its players. */
async function judged(rules: object, players = 1, more: object = {}) {
  const app = await given.app()
  const type = await makeType(app, 'Judged', { rules, ...more })
  const { id } = await makeSession(app, { miniGameTypeId: type.id })
  const joined = await playSession(given, app, id, Array(players).fill(undefined))
  const ids = joined.map((player) => player.id as string)
  const write = (score: number, metadata?: object, playerId = ids[0]!) =>
    app.patch(appUrl(`game-sessions/${id}/players/${playerId}`), { score, metadata })
  return { app, type, id, ids, write }
}

const reasonsOf = async (app: Caller) =>
  (await app.get(appUrl('reviews'))).body.reviews.map(({ reasons }: { reasons: string[] }) => reasons)

test('a score that breaks a rule is held: the session keeps its score, and no board shows the new one', async () => {
  const { app, type, id, ids, write } = await judged({ maxIncrease: 10 })
  await setScore(app, id, ids[0]!, 5)
  const answer = await write(16)
  expect(answer).toMatchObject({ status: 200, body: { score: 5, state: 'held', reviewId: expect.any(String) } })
  const board = await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${type.id}`))
  expect(board.body.leaderboard).toMatchObject([{ playerScore: 5 }])
  expect(await app.get(appUrl(`reviews/${answer.body.reviewId}`))).toMatchObject({
    status: 200,
    body: { score: 16, currentScore: 5, state: 'held', reasons: ['maxIncrease'], playerId: ids[0], gameSessionId: id },
  })
})

test('maxIncrease compares with the best score of the player, in the direction of the type', async () => {
  const { app, id, ids, write } = await judged({ maxIncrease: 10 }, 1, { sortOrder: 'asc' })
  await setScore(app, id, ids[0]!, 100)
  await setScore(app, id, ids[0]!, 90)
  await setScore(app, id, ids[0]!, 500)
  await setScore(app, id, ids[0]!, 490)
  expect((await write(479)).body).toMatchObject({ state: 'held', score: 490 })
})

test('maxPerMinute counts the scores of a player that were written and held', async () => {
  const { app, id, write, ids } = await judged({ maxPerMinute: 2, requireMetadata: ['replay'] }, 2)
  expect((await write(1)).body.state).toBe('held')
  expect((await write(2, { replay: 1 })).body).toMatchObject({ score: 2 })
  expect((await write(3, { replay: 1 })).body).toMatchObject({ state: 'held', score: 2 })
  expect((await write(3, { replay: 1 }, ids[1])).body).toMatchObject({ score: 3 })
  expect(await reasonsOf(app)).toEqual([['maxPerMinute'], ['requireMetadata']])
  expect((await app.get(appUrl(`game-sessions/${id}/players`))).body.players).toHaveLength(2)
})

test('minSessionSeconds counts from the registration of the player', async () => {
  const { write } = await judged({ minSessionSeconds: 1 })
  expect((await write(1)).body.state).toBe('held')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect((await write(1)).body.state).toBeUndefined()
})

test('of several scores in one request, those that break a rule are held and the others are written', async () => {
  const { app, id, ids } = await judged({ requireMetadata: ['replay'] }, 3)
  const scores = ids.map((playerId, i) => ({ playerId, score: i + 1, ...(i === 1 ? {} : { metadata: { replay: i } }) }))
  const answer = await app.post(appUrl(`game-sessions/${id}/scores`), { scores })
  expect(answer.body.players.map((one: { state?: string; score: number }) => [one.score, one.state])).toEqual([
    [1, undefined],
    [0, 'held'],
    [3, undefined],
  ])
  expect(await rankOf(app, ids[1]!)).toBeUndefined()
})

test('rules that are removed hold nothing any more; rules that are added apply to the next score', async () => {
  const { app, type, write } = await judged({ requireMetadata: ['replay'] })
  await app.patch(appUrl(`mini-game-types/${type.id}`), { rules: null })
  expect((await write(1)).body.state).toBeUndefined()
  await app.patch(appUrl(`mini-game-types/${type.id}`), { rules: { maxIncrease: 1 } })
  expect((await write(9)).body.state).toBe('held')
})

test('a misspelt rule is refused, and nothing is created or changed', async () => {
  const { app, type } = await judged({ maxIncrease: 10 })
  const error = { code: 'unrecognized_keys', path: ['rules', 'maxPerMinut'], message: expect.any(String) }
  const rules = { maxPerMinut: 6 }
  const refused = { status: 400, body: { error: [error] } }
  expect(await app.post(appUrl('mini-game-types'), { name: 'Misspelt', rules })).toMatchObject(refused)
  expect(await app.patch(appUrl(`mini-game-types/${type.id}`), { rules })).toMatchObject(refused)
  const { miniGameTypes } = (await app.get(appUrl('mini-game-types'))).body
  expect(miniGameTypes).toMatchObject([{ name: 'Judged', rules: { maxIncrease: 10 } }])
})

test('metadata has at most 1 KiB', async () => {
  const { write } = await judged({ requireMetadata: ['replay'] })
  expect(await write(1, { replay: 'x'.repeat(1024) })).toMatchObject({
    status: 400,
    body: { error: [{ path: ['metadata'] }] },
  })
})

test('beyond the quota of held scores, a score is 409; a reviewed one makes room', async () => {
  const { app, write } = await judged({ requireMetadata: ['replay'] })
  const held = []
  for (const score of [1, 2, 3]) held.push((await write(score)).body.reviewId)
  expect(await write(4)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('CAIRN_QUOTA_HELD_SCORES') },
  })
  await app.post(appUrl(`reviews/${held[1]}`), { decision: 'reject' })
  expect((await write(4)).body.state).toBe('held')
  expect((await app.get(appUrl(`reviews/${held[1]}`))).status).toBe(404)
})
