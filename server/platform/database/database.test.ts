import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openDatabase } from './database.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('what a transaction holds that stands still is let go of: a process that was stopped holds up nobody for ever', async () => {
  const open = (idleInTransactionMs: number) =>
    openDatabase({ url: database.url, applicationName: 'cairn-test', max: 1, idleInTransactionMs })
  const [still, other] = [open(300), open(0)]
  await other.pool.query('create table held (id int primary key)')
  await other.pool.query('insert into held values (1)')
  const client = await still.pool.connect()
  await client.query('begin')
  await client.query('select from held for update')
  await other.pool.query(`set lock_timeout = '20s'`)
  expect((await other.pool.query('select from held for update')).rowCount).toBe(1)
  await expect(client.query('commit')).rejects.toThrow()
  client.release(true)

  // One that goes on is not disturbed.
  const going = await still.pool.connect()
  await going.query('begin')
  for (let n = 0; n < 5; n++) {
    await going.query('select 1')
    await sleep(10)
  }
  await going.query('commit')
  going.release()
  await Promise.all([still.close(), other.close()])
})
