// @module-tag long
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { BASELINE_ENDS } from '../../platform/database/migrate/baseline.ts'
import { createTestDatabase } from '../../test/database.ts'
import { recordFormerHistory } from '../../test/processes/former-history.ts'
import { runCommand } from '../../test/run-command.ts'

vi.setConfig({ testTimeout: 120_000 })

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})
beforeEach(() => recordFormerHistory(client))

// The embedded database uses a socket file without a host; the setting requires one, and the file takes precedence.
const run = (...words: string[]) =>
  runCommand(words, { CAIRN_DATABASE_URL: database.url.replace('@/', '@localhost/'), CAIRN_PORT: '0' })

test('migrate status reports the baseline as applied on a database from before it', async () => {
  const { code, out } = await run('migrate', 'status')
  expect(code).toBe(0)
  expect(out).toContain(`applied  ${BASELINE_ENDS}`)
  expect(out).not.toMatch(/^(newer|waiting|changed)/m)
})

test('doctor reports the baseline as applied on a database from before it', async () => {
  expect((await run('doctor')).out).toMatch(/ok +migrations +all \d+ are applied/i)
})

test('migrate status says which release to start on a database from before the baseline that lacks migrations', async () => {
  await recordFormerHistory(client, '0050')
  expect(await run('migrate', 'status')).toMatchObject({
    code: 1,
    err: expect.stringContaining('start the last release that has 0060_rows_of_strangers.sql on it once'),
  })
})

test('doctor says which release to start on a database from before the baseline that lacks migrations', async () => {
  await recordFormerHistory(client, '0050')
  expect((await run('doctor')).out).toMatch(
    /FAIL migrations .*before the baseline.*\n.*Start the last release that has 0060_rows_of_strangers\.sql on it once/,
  )
})
