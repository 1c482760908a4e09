import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/logging/log.ts'
import { fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let logged = ''
const log = createLog('trace', {
  write: (line: string) => {
    logged += line
  },
})

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, log)
})
afterAll(() => service.stop())

test('no position of a player is in the log at any level, also when its request is refused or fails', async () => {
  const world = await fenceWorldOn(service)
  const place = { lat: 48.123457, lon: 11.765432 }
  const { id: fenceId } = await world.circle(place, 20, { checkIn: {} })
  const player = await world.player()
  const fix = fixAt(place)
  const statuses: number[] = []
  const send = async (last: object) => {
    statuses.push((await player.post('/api/v1/apps/positions', { fixes: [last] })).status)
    statuses.push((await player.post('/api/v1/apps/check-ins', { fenceId, fix: last })).status)
  }
  logged = ''
  await send(fix)
  await send({ ...fix, accuracy: -1 })
  await send(fixAt(place, { ago: -90 }))
  await sqlOn(service)('alter table player_positions add constraint full_table check (false) not valid')
  const other = await world.player()
  statuses.push((await other.post('/api/v1/apps/positions', { fixes: [fix] })).status)
  statuses.push((await other.post('/api/v1/apps/check-ins', { fenceId, fix })).status)
  expect(statuses).toEqual([200, 200, 400, 400, 400, 400, 500, 500])
  expect(logged).toContain('full_table')
  for (const degrees of [place.lat, place.lon]) expect(logged).not.toContain(String(degrees))
})
