import { afterAll, beforeAll, expect, test } from 'vitest'
import { fenceWorldOn, fixAt } from '../../test/fences/fence-world.ts'
import { appUrl, makeType } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Decides about a review, once for each decision; its audit entries, the newest first. */
async function entriesAfter(world: Awaited<ReturnType<typeof fenceWorldOn>>, id: string, decisions: string[]) {
  for (const decision of decisions)
    expect((await world.app.post(appUrl(`reviews/${id}`), { decision })).status).toBe(200)
  const user = await service.app.localUser('ops', ['ops'])
  const ops = service.as({ authorization: `Bearer ${(await service.app.identity.openFor(user)).token}` })
  return (await ops.get(`/api/v1/audit-log?subject=${id}`)).body.entries
}

test('the audit entries of a held check-in have its app, its player by name and the state before and after', async () => {
  const world = await fenceWorldOn(service)
  const place = { lat: 48.1, lon: 11.5 }
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 5 } } })
  const player = await world.player()
  const { body } = await player.post(appUrl('check-ins'), { fenceId: fence.id, fix: fixAt(place, { mocked: true }) })
  const { displayName } = (await world.app.get(appUrl(`players/${player.id}`))).body
  const entry = (from: string, to: string) => ({
    ...{ action: `check_in.${to}`, appId: world.app.id, subjectName: displayName, changes: { state: { from, to } } },
  })
  expect(await entriesAfter(world, body.id, ['reject', 'accept', 'reject'])).toMatchObject([
    entry('accepted', 'rejected'),
    entry('rejected', 'accepted'),
    entry('held', 'rejected'),
  ])
})

test('the audit entries of a held score have its app, its player by name and the state before and after', async () => {
  const world = await fenceWorldOn(service)
  const type = await makeType(world.app, 'Replayed', { rules: { requireMetadata: ['replay'] } })
  const session = (await world.app.post(appUrl('game-sessions'), { miniGameTypeId: type.id })).body
  const player = await world.player()
  const players = appUrl(`game-sessions/${session.id}/players`)
  await world.app.post(players, { playerId: player.id })
  const { reviewId } = (await world.app.patch(`${players}/${player.id}`, { score: 9 })).body
  const { displayName } = (await world.app.get(appUrl(`players/${player.id}`))).body
  const entry = (from: string, to: string) => ({
    ...{ action: `held_score.${to}`, appId: world.app.id, subjectName: displayName, changes: { state: { from, to } } },
  })
  expect(await entriesAfter(world, reviewId, ['accept', 'reject'])).toMatchObject([
    entry('accepted', 'rejected'),
    entry('held', 'accepted'),
  ])
})
