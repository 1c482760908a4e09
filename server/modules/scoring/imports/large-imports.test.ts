import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { appUrl, makeSession, playSession } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

/** How many index entries of the scores of sessions have been read. */
async function entriesRead(): Promise<number> {
  const [row] = await sql<{ read: number }>(
    `select sum(idx_tup_read)::int8 as read from pg_stat_user_indexes where relname = 'session_players'`,
  )
  return row!.read
}

test('each row of a large import is looked up by its whole key, though the other sessions are small', async () => {
  const app = await given.app()
  for (let i = 0; i < 20; i++) {
    const { id } = await makeSession(app)
    await playSession(given, app, id, [i])
  }
  await sql('analyze')
  const before = await entriesRead()
  const rows = 4_000
  const text = ['player_name,score', ...Array.from({ length: rows }, (_, i) => `Player ${i},${i}`)].join('\n')
  const { status, body } = await app.post(appUrl('leaderboards/import'), formOf({ bytes: text }))
  expect({ status, summary: body.summary }).toMatchObject({ status: 200, summary: { applied: rows } })
  // PostgreSQL publishes the counts of a connection after a while.
  await expect.poll(entriesRead).toBeGreaterThan(before + rows)
  // Each row is read a few times. With the half of the session that is already there, it would be 2,000 times more.
  expect(await entriesRead()).toBeLessThan(before + 50 * rows)
})
