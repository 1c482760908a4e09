import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, nextOf, playSession, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

/** A held score of 50 in a session where 5 was written before. */
async function heldScore() {
  const app = await given.app()
  const type = await makeType(app, 'Judged', { rules: { requireMetadata: ['replay'] } })
  const { id: sessionId } = await makeSession(app, { miniGameTypeId: type.id })
  const [player] = await playSession(given, app, sessionId, [undefined])
  const path = appUrl(`game-sessions/${sessionId}/players/${player!.id}`)
  const write = (score: number) => app.patch(path, { score, metadata: { replay: 1 } })
  await write(5)
  const { reviewId } = (await app.patch(path, { score: 50 })).body
  const review = appUrl(`reviews/${reviewId}`)
  const decide = (decision: string, note?: string) => app.post(review, { decision, note })
  const best = async () =>
    (await app.get(appUrl(`players/${player!.id}/global-ranking?miniGameTypeId=${type.id}`))).body.highestScore
  return { app, type, sessionId, playerId: player!.id as string, path, write, review, decide, best }
}

test('an accepted score counts on the boards, and the decision shows its note', async () => {
  const { decide, best, review, app } = await heldScore()
  expect(await best()).toBe(5)
  expect(await decide('accept', 'seen the replay')).toMatchObject({
    status: 200,
    body: { state: 'accepted', note: 'seen the replay', currentScore: 50, reviewedAt: expect.any(String) },
  })
  expect(await best()).toBe(50)
  expect((await app.get(review)).body.state).toBe('accepted')
})

test('an accepted score is written exactly once, however many accept it at the same time', async () => {
  const { app, decide, path, write } = await heldScore()
  const answers = await Promise.all(Array.from({ length: 8 }, () => decide('accept')))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  await write(7)
  expect((await decide('accept')).status).toBe(200)
  expect((await app.get(path)).body.score).toBe(7)
})

test('rejecting an accepted score puts the score and the best back to what they were', async () => {
  const { app, decide, best, path } = await heldScore()
  const before = (await app.get(path)).body
  await decide('accept')
  expect((await decide('reject')).body).toMatchObject({ state: 'rejected', currentScore: 5 })
  expect((await app.get(path)).body).toEqual(before)
  expect(await best()).toBe(5)
  await decide('accept')
  expect(await best()).toBe(50)
})

test('on the boards of a day, a decision counts as on the others', async () => {
  const { app, type, decide } = await heldScore()
  const ofDay = async () => {
    const query = `miniGameTypeId=${type.id}&window=day`
    return (await app.get(appUrl(`leaderboards/mini-game?${query}`))).body.leaderboard[0].playerScore
  }
  expect(await ofDay()).toBe(5)
  await decide('accept')
  expect(await ofDay()).toBe(50)
  await decide('reject')
  expect(await ofDay()).toBe(5)
})

test('an accepted score is not taken back once another one was written', async () => {
  const { decide, write, best } = await heldScore()
  await decide('accept')
  await write(60)
  expect((await decide('reject')).status).toBe(409)
  expect(await best()).toBe(60)
})

test('a score is accepted after its session has ended, and the session stays closed', async () => {
  const { app, sessionId, decide, best, write } = await heldScore()
  await app.patch(appUrl(`game-sessions/${sessionId}`), { status: 'COMPLETED' })
  expect((await decide('accept')).status).toBe(200)
  expect(await best()).toBe(50)
  expect((await write(70)).status).toBe(409)
})

test('a score outside the bounds that the type has by now is 409, and can be rejected', async () => {
  const { app, type, decide, best } = await heldScore()
  await app.patch(appUrl(`mini-game-types/${type.id}`), { maxScore: 10 })
  expect((await decide('accept')).status).toBe(409)
  expect((await decide('reject')).body.state).toBe('rejected')
  expect(await best()).toBe(5)
})

test('held scores are gone with their session and with their player', async () => {
  const one = await heldScore()
  await one.app.delete(appUrl(`game-sessions/${one.sessionId}`))
  expect((await one.decide('accept')).status).toBe(404)
  const other = await heldScore()
  await other.app.delete(appUrl(`players/${other.playerId}`))
  expect((await other.app.get(other.review)).status).toBe(404)
})

test('reviews are listed newest first, by state, type and player', async () => {
  const { app, path, type, playerId } = await heldScore()
  const newer = (await app.patch(path, { score: 51 })).body.reviewId
  await app.post(appUrl(`reviews/${newer}`), { decision: 'reject' })
  const scoresOf = async (query: string) =>
    (await app.get(appUrl(`reviews?${query}`))).body.reviews.map(({ score }: { score: number }) => score)
  expect(await scoresOf('')).toEqual([51, 50])
  expect(await scoresOf('state=held')).toEqual([50])
  expect(await scoresOf(`miniGameTypeId=${type.id}&playerId=${playerId}`)).toEqual([51, 50])
  expect(await scoresOf('miniGameTypeId=default')).toEqual([])
  const first = await app.get(appUrl('reviews?limit=1'))
  expect((await app.get(nextOf(first.headers)!)).body.reviews).toMatchObject([{ score: 50 }])
  expect(await rankOf(app, playerId, `?miniGameTypeId=${type.id}`)).toBe(1)
})
