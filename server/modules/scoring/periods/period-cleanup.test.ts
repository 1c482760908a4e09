// @module-tag long
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { letTimePass } from '../../../test/scoring/let-time-pass.ts'
import { appUrl, makeSession, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { periodCleanup } from './period-cleanup.ts'

const discarded: string[] = []
let service: Service
let given: Builders
let pool: pg.Pool
let cleanUp: ReturnType<typeof periodCleanup>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  cleanUp = periodCleanup({ pool, discard: async (boards) => void discarded.push(...boards) })
})
afterAll(async () => {
  await pool.end()
  await service.stop()
})

const scoresOfToday = async (app: Caller) =>
  (await app.get(appUrl('leaderboards/mini-game?window=day'))).body.leaderboard.map(
    ({ playerScore }: { playerScore: number }) => playerScore,
  )
const keysOf = async (appId: string) =>
  (await pool.query('select board_key as key from period_boards where app_id = $1', [appId])).rows.map(({ key }) => key)

test('the board of a day counts all of its scores, although nobody wrote or read in the night', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [player] = await playSession(given, app, id, [5])
  await scoresOfToday(app)
  await letTimePass(service, app.id, 2)
  await cleanUp()
  await setScore(app, id, player!.id, 3)
  expect(await scoresOfToday(app)).toEqual([3])
})

test('the board of a day is deleted once the next is made, and its index first', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [player] = await playSession(given, app, id, [5])
  await scoresOfToday(app)
  const [old] = await keysOf(app.id)
  await letTimePass(service, app.id, 2)
  await setScore(app, id, player!.id, 3)
  await cleanUp()
  expect(discarded).toContain(`${app.id} ${old}`)
  expect(await keysOf(app.id)).not.toContain(old)
  const { rows } = await pool.query('select score from period_best where app_id = $1', [app.id])
  expect(rows).toEqual([{ score: 3 }])
})

test('a window that nobody reads for a week is no longer kept', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  await playSession(given, app, id, [5])
  await scoresOfToday(app)
  await pool.query(`update board_windows set asked_at = asked_at - interval '8 days' where app_id = $1`, [app.id])
  await cleanUp()
  await pool.query(`update period_boards set closed_at = closed_at - interval '6 minutes' where app_id = $1`, [app.id])
  await cleanUp()
  expect(await keysOf(app.id)).toEqual([])
  expect(await scoresOfToday(app)).toEqual([5])
})
