import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../test/fences/fence-world.ts'
import { appUrl, makeType, nextOf } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const WELL = { lat: 48.1, lon: 11.5 }
const list = async (world: FenceWorld, query = '') => (await world.app.get(appUrl(`reviews${query}`))).body.reviews

/** A held check-in at a fence that awards points. */
async function heldCheckIn(world: FenceWorld, award: object | null = { points: 5 }) {
  const place = away(WELL, 500 * Math.ceil(Math.random() * 1e5))
  const fence = await world.circle(place, 20, { name: 'Well', checkIn: { award } })
  const player = await world.player()
  const fix = fixAt(place, { mocked: true })
  const { body } = await player.post(appUrl('check-ins'), { fenceId: fence.id, fix })
  expect(body.state).toBe('held')
  const decide = (decision: string, note?: string) => world.app.post(appUrl(`reviews/${body.id}`), { decision, note })
  return { id: body.id as string, fence, player, place, decide }
}

/** A held score. */
async function heldScore(world: FenceWorld) {
  const type = await makeType(world.app, `Type ${crypto.randomUUID()}`, { rules: { requireMetadata: ['replay'] } })
  const { id } = (await world.app.post(appUrl('game-sessions'), { miniGameTypeId: type.id })).body
  const player = await world.player()
  const players = appUrl(`game-sessions/${id}/players`)
  await world.app.post(players, { playerId: player.id })
  return (await world.app.patch(`${players}/${player.id}`, { score: 9 })).body.reviewId as string
}

test('held check-ins are in the list of reviews beside held scores, newest first', async () => {
  const world = await fenceWorldOn(service)
  const first = await heldCheckIn(world)
  const score = await heldScore(world)
  const last = await heldCheckIn(world, null)
  const all = await list(world)
  expect(all).toMatchObject([
    { id: last.id, kind: 'check_in', points: null },
    { id: score, kind: 'score', score: 9, fenceId: null, fenceName: null, points: null },
    {
      ...{ id: first.id, kind: 'check_in', playerId: first.player.id, fenceId: first.fence.id, fenceName: 'Well' },
      ...{ points: 5, reasons: ['mocked'], state: 'held', note: null, reviewedAt: null },
      ...{ score: null, currentScore: null, gameSessionId: null, miniGameTypeId: null, metadata: null },
    },
  ])
  expect(all[2]).toEqual((await world.app.get(appUrl(`reviews/${first.id}`))).body)
  const ids = async (query: string) => (await list(world, query)).map(({ id }: { id: string }) => id)
  expect(await ids('?kind=check_in')).toEqual([last.id, first.id])
  expect(await ids('?kind=score&state=held')).toEqual([score])
  expect(await ids(`?playerId=${first.player.id}`)).toEqual([first.id])
  // Without an award, it belongs to no game.
  expect(await ids('?miniGameTypeId=default')).toEqual([first.id])
  const page = await world.app.get(appUrl('reviews?limit=2'))
  expect(page.headers.get('x-total-count')).toBe('3')
  expect((await world.app.get(nextOf(page.headers)!)).body.reviews).toEqual([all[2]])
})

test('check-ins that were never doubtful are no reviews', async () => {
  const world = await fenceWorldOn(service)
  const fence = await world.circle(WELL, 20, { checkIn: {} })
  const player = await world.player()
  const { body } = await player.post(appUrl('check-ins'), { fenceId: fence.id, fix: fixAt(WELL) })
  expect(body.state).toBe('accepted')
  expect(await list(world)).toEqual([])
  expect((await world.app.get(appUrl(`reviews/${body.id}`))).status).toBe(404)
})

test('a held check-in is accepted once, however many accept it at the same time, and scores its award', async () => {
  const world = await fenceWorldOn(service)
  const { decide, player, id } = await heldCheckIn(world)
  const answers = await Promise.all([1, 2, 3, 4].map(() => decide('accept', 'Met them')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers[0]!.body).toMatchObject({
    ...{ id, kind: 'check_in', state: 'accepted', note: 'Met them', points: 5 },
    ...{ gameSessionId: expect.any(String), reviewedAt: expect.any(String) },
  })
  const { body } = await world.app.get(appUrl(`players/${player.id}/global-ranking`))
  expect(body.highestScore).toBe(5)
  expect(await list(world, '?state=accepted')).toMatchObject([{ id }])
})

test('a decision about a check-in can be changed, and its points are scored and taken back', async () => {
  const world = await fenceWorldOn(service)
  const { decide, id, player } = await heldCheckIn(world)
  const best = async () => (await world.app.get(appUrl(`players/${player.id}/global-ranking`))).body.highestScore
  expect((await decide('reject')).body).toMatchObject({ state: 'rejected', points: null })
  expect((await decide('reject')).status).toBe(200)
  for (let round = 0; round < 2; round++) {
    expect((await decide('accept')).body).toMatchObject({ state: 'accepted', points: 5 })
    expect(await best()).toBe(5)
    expect((await decide('reject')).body).toMatchObject({ state: 'rejected', points: null, gameSessionId: null })
    expect(await best()).toBe(0)
  }
  expect((await world.app.get(appUrl(`check-ins/${id}`))).body).toMatchObject({ state: 'rejected', awards: [] })
  const actions = await sqlOn(service)<{ action: string }>(
    'select action from audit_log where subject = $1 order by id',
    [id],
  )
  expect(actions.map(({ action }) => action)).toEqual([
    ...['check_in.rejected', 'check_in.accepted', 'check_in.rejected', 'check_in.accepted', 'check_in.rejected'],
  ])
})

test('of contrary decisions at the same time, the last one holds, and points agree with it', async () => {
  const world = await fenceWorldOn(service)
  const { decide, id, player } = await heldCheckIn(world)
  await Promise.all(Array.from({ length: 12 }, (_, i) => decide(i % 2 ? 'accept' : 'reject')))
  const { state } = (await world.app.get(appUrl(`reviews/${id}`))).body
  const { body } = await world.app.get(appUrl(`players/${player.id}/global-ranking`))
  expect(body.highestScore ?? 0).toBe(state === 'accepted' ? 5 : 0)
})

test('a rejected check-in is not accepted once the player has checked in there again', async () => {
  const world = await fenceWorldOn(service)
  const { decide, fence, player, place } = await heldCheckIn(world)
  await decide('reject')
  const again = await player.post(appUrl('check-ins'), { fenceId: fence.id, fix: fixAt(place) })
  expect(again.body.state).toBe('accepted')
  expect(await decide('accept')).toMatchObject({ status: 409, body: { error: expect.stringContaining('another') } })
})

test('a check-in of another app is no review of this one', async () => {
  const { id } = await heldCheckIn(await fenceWorldOn(service))
  const world = await fenceWorldOn(service)
  expect((await world.app.get(appUrl(`reviews/${id}`))).status).toBe(404)
  expect((await world.app.post(appUrl(`reviews/${id}`), { decision: 'accept' })).status).toBe(404)
})

test('an accepted check-in of a player who was banned since is rejected, and its points are taken back', async () => {
  const world = await fenceWorldOn(service)
  const { decide, player } = await heldCheckIn(world)
  const standing = (value: string) => world.app.patch(appUrl(`players/${player.id}`), { standing: value })
  const best = async () => (await world.app.get(appUrl(`players/${player.id}/global-ranking`))).body.highestScore
  expect((await decide('accept')).status).toBe(200)
  await standing('banned')
  expect(await decide('reject')).toMatchObject({ status: 200, body: { state: 'rejected', points: null } })
  expect(await decide('accept')).toMatchObject({ status: 409, body: { error: expect.stringContaining('standing') } })
  await standing('normal')
  expect(await best()).toBe(0)
})

test('an accepted check-in whose game session was deleted since is rejected', async () => {
  const world = await fenceWorldOn(service)
  const { decide } = await heldCheckIn(world)
  const { gameSessionId } = (await decide('accept')).body
  expect((await world.app.delete(appUrl(`game-sessions/${gameSessionId}`))).status).toBe(204)
  expect(await decide('reject')).toMatchObject({ status: 200, body: { state: 'rejected', points: null } })
})

test('rejecting takes nothing off a player who is not in the game session any more', async () => {
  const world = await fenceWorldOn(service)
  const { decide, player } = await heldCheckIn(world)
  const { gameSessionId } = (await decide('accept')).body
  const players = appUrl(`game-sessions/${gameSessionId}/players`)
  expect((await world.app.delete(`${players}/${player.id}`)).status).toBe(204)
  expect(await decide('reject')).toMatchObject({ status: 200, body: { state: 'rejected' } })
  expect((await world.app.get(`${players}/${player.id}`)).status).toBe(404)
})

test('the same fix after a rejection is refused with a message', async () => {
  const world = await fenceWorldOn(service)
  const place = away(WELL, 400)
  const fence = await world.circle(place, 20, { checkIn: {} })
  const player = await world.player()
  const sent = { fenceId: fence.id, fix: fixAt(place, { mocked: true }) }
  const { id } = (await player.post(appUrl('check-ins'), sent)).body
  await world.app.post(appUrl(`reviews/${id}`), { decision: 'reject' })
  const refused = { state: 'refused', id, reason: 'mocked', message: 'Your check-in here was rejected' }
  expect((await player.post(appUrl('check-ins'), sent)).body).toMatchObject(refused)
})
