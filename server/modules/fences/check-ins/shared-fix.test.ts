import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Service, startSecondService, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let first: Service
let second: Service
beforeAll(async () => {
  first = await startService()
  second = await startSecondService(first, { CAIRN_ROLE: 'api' })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

const WELL = { lat: 48.1, lon: 11.5 }
/** Waiting requests are those that wait for a lock. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('of players who send one position at the same moment, through two processes, the fourth and all after it are held', async () => {
  const world = await fenceWorldOn(first)
  const fence = await world.circle(WELL, 20, { checkIn: { award: { points: 1 } } })
  const players = await Promise.all(Array.from({ length: 6 }, () => world.player()))
  const fix = fixAt(WELL)
  const block = new pg.Client({ connectionString: first.databaseUrl })
  await block.connect()
  await block.query('begin')
  // Check-ins are counted, and none can be written before all have begun.
  await block.query('lock table check_ins in share mode')
  const sent = players.map(({ headers }, i) =>
    [first, second][i % 2]!.as(headers).post('/api/v1/apps/check-ins', { fenceId: fence.id, fix }),
  )
  await expect.poll(async () => (await sqlOn(first)(WAITING)).length).toBe(players.length)
  await block.query('rollback')
  await block.end()
  const states = (await Promise.all(sent)).map(({ body }) => body.reason ?? body.state)
  expect(states.toSorted()).toEqual(['accepted', 'accepted', 'accepted', 'shared_fix', 'shared_fix', 'shared_fix'])
})
