import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { type Database, openDatabase } from './database.ts'
import { type RequestContext, runInRequest } from './request-context.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const created = await createTestDatabase()
  drop = created.drop
  database = openDatabase({ url: created.url, applicationName: 'write-tracking-test', max: 1, isFair: true })
  await database.pool.query('create table noted (id int unique deferrable initially deferred)')
})
afterAll(async () => {
  await database.close()
  await drop()
})

const request = (): RequestContext => ({
  lane: 'noted',
  sender: '192.0.2.1',
  connections: 0,
  mayHaveWritten: false,
  tracksWrites: true,
})

/** Whether a request that does this counts as having written. */
async function mayWrite(work: () => Promise<unknown>): Promise<boolean> {
  const context = request()
  await runInRequest(context, work).catch(() => {})
  return context.mayHaveWritten
}

test('selects of the query builder and declared reads are reads', async () => {
  const { kysely, reading } = database
  expect(await mayWrite(() => kysely.selectFrom('noted').selectAll().execute())).toBe(false)
  expect(await mayWrite(() => sql`select from noted`.execute(reading.kysely))).toBe(false)
  expect(await mayWrite(() => reading.pool.query('select from noted'))).toBe(false)
})

test('everything else counts as a write', async () => {
  const { kysely, pool } = database
  expect(await mayWrite(() => kysely.insertInto('noted').values({ id: 1 }).execute())).toBe(true)
  expect(await mayWrite(() => sql`select from noted`.execute(kysely))).toBe(true)
  expect(await mayWrite(() => pool.query('select from noted'))).toBe(true)
  expect(await mayWrite(async () => (await pool.connect()).release())).toBe(true)
  const inserts = kysely.insertInto('noted').values({ id: 2 }).returning('id')
  const afterInsert = kysely
    .with('inserted', () => inserts)
    .selectFrom('inserted')
    .selectAll()
  expect(await mayWrite(() => afterInsert.execute())).toBe(true)
})

test('a refused statement wrote nothing; one whose connection ended may have', async () => {
  const { kysely, pool } = database
  expect(await mayWrite(() => pool.query('insert into nowhere values (1)'))).toBe(false)
  expect(await mayWrite(() => kysely.insertInto('nowhere').values({ id: 1 }).execute())).toBe(false)
  expect(await mayWrite(() => pool.query('select pg_terminate_backend(pg_backend_pid())'))).toBe(true)
})

test('of a transaction only its commit counts, and not if it is refused or rolled back', async () => {
  const write = (ids: number[], fails = false) =>
    database.kysely.transaction().execute(async (trx) => {
      for (const id of ids) await trx.insertInto('noted').values({ id }).execute()
      if (fails) throw new Error('rolled back')
    })
  expect(await mayWrite(() => write([10]))).toBe(true)
  expect(await mayWrite(() => write([11], true))).toBe(false)
  expect(await mayWrite(() => write([12, 12]))).toBe(false)
})

test("attributes a write to the request that sent it, even if it waited for another's connection", async () => {
  const { pool, reading } = database
  const [reads, writes] = [request(), request()]
  await Promise.all([
    runInRequest(reads, () => reading.pool.query('select pg_sleep(0.2)')),
    runInRequest(writes, () => pool.query('insert into noted values (20)')),
    pool.query('insert into noted values (21)'),
    runInRequest(reads, () => reading.pool.query('select 1')),
  ])
  expect([reads.mayHaveWritten, writes.mayHaveWritten]).toEqual([false, true])
})
