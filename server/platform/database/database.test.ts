import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openDatabase } from './database.ts'
import { runInRequest } from './request-context.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('an idle transaction is ended, so that a suspended process does not hold locks indefinitely', {
  tags: ['long'],
}, async () => {
  const open = (idleInTransactionMs: number) =>
    openDatabase({ url: database.url, applicationName: 'cairn-test', max: 1, idleInTransactionMs })
  const [still, other] = [open(3000), open(0)]
  await other.pool.query('create table held (id int primary key)')
  await other.pool.query('insert into held values (1)')
  const client = await still.pool.connect()
  await client.query('begin')
  await client.query('select from held for update')
  await other.pool.query(`set lock_timeout = '20s'`)
  expect((await other.pool.query('select from held for update')).rowCount).toBe(1)
  await expect(client.query('commit')).rejects.toThrow()
  client.release(true)

  // An active one is not disturbed.
  const patient = open(15_000)
  const going = await patient.pool.connect()
  await going.query('begin')
  for (let n = 0; n < 5; n++) {
    await going.query('select 1')
    await sleep(10)
  }
  await going.query('commit')
  going.release()
  await Promise.all([still, other, patient].map((one) => one.close()))
})

test('a statement of a request waits a second for a lock, one of a job without limit, and a deadlock is found before', async () => {
  const fair = openDatabase({ url: database.url, applicationName: 'cairn-test', max: 1, isFair: true })
  const timeouts = async () => {
    const text = `select name, setting::int from pg_settings where name in ('lock_timeout', 'deadlock_timeout')`
    const { rows } = await fair.pool.query<{ name: string; setting: number }>(text)
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  }
  const request = { lane: 'pins', sender: '198.51.100.1', connections: 0, mayHaveWritten: false, tracksWrites: false }
  expect(await runInRequest(request, timeouts)).toEqual({ lock_timeout: 1000, deadlock_timeout: 500 })
  expect(await timeouts()).toMatchObject({ lock_timeout: 0 })
  await fair.close()
})

test('closing ends every connection, even if the query builder was never used', async () => {
  const [one, other] = ['cairn-closed', 'cairn-looks'].map((applicationName) =>
    openDatabase({ url: database.url, applicationName, max: 2 }),
  )
  await Promise.all([one!.pool.query('select 1'), one!.pool.query('select 1')])
  const open = async () => {
    const text = `select from pg_stat_activity where application_name = 'cairn-closed'`
    return (await other!.pool.query(text)).rowCount
  }
  expect(await open()).toBe(2)
  await one!.close()
  await expect.poll(open).toBe(0)
  // Closing again has no effect.
  await one!.close()
  await other!.close()
})

test('closing does not wait indefinitely for connections in use', { tags: ['long'] }, async () => {
  const one = openDatabase({ url: database.url, applicationName: 'cairn-held', max: 1 })
  const client = await one.pool.connect()
  const asked = client.query('select pg_sleep(60)')
  const failed = expect(asked).rejects.toThrow()
  await one.close()
  await failed
  client.release(true)
})
