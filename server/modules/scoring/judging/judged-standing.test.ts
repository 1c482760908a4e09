import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

/** A player with a score of 5 in a type with rules. */
async function judged(rules: object) {
  const app = await given.app()
  const type = await makeType(app, 'Judged', { rules })
  const { id } = await makeSession(app, { miniGameTypeId: type.id })
  const [player] = await playSession(given, app, id, [undefined])
  const path = appUrl(`game-sessions/${id}/players/${player!.id}`)
  const write = (score: number) => app.patch(path, { score, metadata: { replay: 1 } })
  await write(5)
  const setStanding = (standing: string) => app.patch(appUrl(`players/${player!.id}`), { standing })
  const rank = () => rankOf(app, player!.id, `?miniGameTypeId=${type.id}`)
  return { app, path, write, setStanding, rank }
}

test('the score of a banned player is refused, also if it would be held', async () => {
  const { app, path, setStanding } = await judged({ requireMetadata: ['replay'] })
  await setStanding('banned')
  expect((await app.patch(path, { score: 50 })).status).toBe(403)
  expect((await app.get(appUrl('reviews'))).body.reviews).toEqual([])
})

test('the score of a hidden player is compared with its own best', async () => {
  const { write, setStanding } = await judged({ maxIncrease: 10 })
  await setStanding('hidden')
  expect((await write(14)).body.state).toBeUndefined()
  expect((await write(99)).body).toMatchObject({ state: 'held', score: 14 })
})

test('an accepted score of a player who was banned since can be rejected', async () => {
  const { app, path, setStanding, rank } = await judged({ requireMetadata: ['replay'] })
  const { reviewId } = (await app.patch(path, { score: 50 })).body
  const review = appUrl(`reviews/${reviewId}`)
  await app.post(review, { decision: 'accept' })
  await setStanding('banned')
  expect((await app.post(review, { decision: 'reject' })).status).toBe(200)
  expect(await rank()).toBeUndefined()
  await setStanding('normal')
  expect((await app.get(path)).body.score).toBe(5)
  expect(await rank()).toBe(1)
})
