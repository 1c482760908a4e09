import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn, type User } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
let ops: User
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

const correction = (session: string, player: string) => appUrl(`game-sessions/${session}/players/${player}/correction`)

test('a score of a completed session is corrected, counts in every rank, and is audited with both values', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [cheat, honest] = await playSession(given, app, id, [99_999_999, 40])
  await app.patch(appUrl(`game-sessions/${id}`), { status: 'COMPLETED' })
  expect(await app.post(correction(id, cheat!.id), { score: 12 })).toMatchObject({
    status: 200,
    body: { playerId: cheat!.id, score: 12 },
  })
  expect([await rankOf(app, honest!.id), await rankOf(app, cheat!.id)]).toEqual([1, 2])
  expect((await app.get(appUrl(`game-sessions/${id}`))).body.status).toBe('COMPLETED')
  const { entries } = (await ops.get(`/api/v1/audit-log?subject=${id}/${cheat!.id}`)).body
  expect(entries).toMatchObject([
    {
      actor: `app:${app.id}`,
      action: 'score.corrected',
      appId: app.id,
      subjectName: cheat!.displayName,
      changes: { score: { from: 99_999_999, to: 12 } },
    },
  ])
})

test('a completed session takes no other scores after a correction', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [player] = await playSession(given, app, id, [4])
  await app.patch(appUrl(`game-sessions/${id}`), { status: 'COMPLETED' })
  await app.post(correction(id, player!.id), { score: 5 })
  expect(await app.patch(appUrl(`game-sessions/${id}/players/${player!.id}`), { score: 6 })).toMatchObject({
    status: 409,
  })
})

test('a correction must lie within the bounds of the type, and its rules do not apply', async () => {
  const app = await given.app()
  await makeType(app, 'Bounded', { maxScore: 1000, rules: { maxIncrease: 10 } })
  const { id } = await makeSession(app, { miniGameTypeName: 'Bounded' })
  const [player] = await playSession(given, app, id, [1])
  expect(await app.post(correction(id, player!.id), { score: 1001 })).toMatchObject({
    status: 400,
    body: { error: [{ code: 'score_out_of_bounds', path: ['score'] }] },
  })
  expect(await app.post(correction(id, player!.id), { score: 900 })).toMatchObject({
    status: 200,
    body: { score: 900 },
  })
})

test('the score of a player who is not in the session is not corrected', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const stranger = await given.player(app)
  expect(await app.post(correction(id, stranger.id), { score: 5 })).toMatchObject({ status: 404 })
})
