import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const WELL = { lat: 48.1, lon: 11.5 }
const settings = '/api/v1/apps/positions/settings'

/** A player who has checked in at a fence, some days ago each time. */
async function checkedIn(world: FenceWorld, once: unknown, days: number[]) {
  const fence = await world.circle(WELL, 20, { checkIn: { once, award: { points: 5 } } })
  const player = await world.player()
  const ids: string[] = []
  for (const [i, ago] of days.entries()) {
    const fix = fixAt(WELL, { ago: 60 - i })
    const { body } = await player.post('/api/v1/apps/check-ins', { fenceId: fence.id, fix })
    expect(body.state).toBe('accepted')
    await sql(`update check_ins set created_at = now() - make_interval(days => $2) where id = $1`, [body.id, ago])
    ids.push(body.id)
  }
  const left = async () => {
    const { body } = await world.app.get(`/api/v1/apps/check-ins?playerId=${player.id}`)
    return (body.checkIns as { id: string }[]).map(({ id }) => ids.indexOf(id)).toSorted()
  }
  return { fence, player, left }
}
const keep = async (world: FenceWorld, retainCheckInDays: number | null) =>
  world.app.put(settings, { retainSeconds: 600, retainCheckInDays })

test('check-ins are kept without a setting', async () => {
  const world = await fenceWorldOn(service)
  const { left } = await checkedIn(world, 10, [4000, 3000])
  await service.app.removeOldCheckIns()
  expect(await left()).toEqual([0, 1])
})

test('check-ins go after retainCheckInDays, and the score stays', async () => {
  const world = await fenceWorldOn(service)
  const { left, player } = await checkedIn(world, 10, [40, 31, 29])
  expect((await keep(world, 30)).body).toEqual({ retainSeconds: 600, retainCheckInDays: 30 })
  await service.app.removeOldCheckIns()
  expect(await left()).toEqual([2])
  const { body } = await world.app.get(`/api/v1/apps/players/${player.id}/global-ranking`)
  expect(body.highestScore).toBe(15)
})

test('the newest check-in stays while it forbids another one', async () => {
  const world = await fenceWorldOn(service)
  await keep(world, 1)
  const ever = await checkedIn(world, 'ever', [500])
  const daily = await checkedIn(world, 'day', [500, 2])
  const waiting = await checkedIn(world, 86_400 * 10, [30, 9])
  const over = await checkedIn(world, 86_400 * 10, [30, 11])
  await service.app.removeOldCheckIns()
  expect([await ever.left(), await daily.left(), await waiting.left(), await over.left()]).toEqual([[0], [], [1], []])
  const again = await ever.player.post('/api/v1/apps/check-ins', { fenceId: ever.fence.id, fix: fixAt(WELL) })
  expect(again.body.reason).toBe('already')
})

test('settings without retainCheckInDays leave it as it is, and null keeps check-ins again', async () => {
  const world = await fenceWorldOn(service)
  await keep(world, 30)
  const { body } = await world.app.put(settings, { retainSeconds: 120 })
  expect(body).toEqual({ retainSeconds: 120, retainCheckInDays: 30 })
  await keep(world, null)
  expect((await world.app.get(settings)).body).toEqual({ retainSeconds: 600, retainCheckInDays: null })
})
