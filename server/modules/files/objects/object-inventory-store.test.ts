import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../platform/database/database.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { objectInventoryStore } from './object-inventory-store.ts'

let given: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  given = await createTestDatabase()
})
afterAll(() => given.drop())

test('comparing all objects with all records takes as long as it takes: what ends a slow request does not end it', {
  tags: ['long'],
}, async () => {
  // With these bounds a request is ended by PostgreSQL after 200 ms, by its client 5 s later.
  const database = openDatabase({ url: given.url, applicationName: 'test', max: 1, statementTimeoutMs: 200 })
  const slow = new pg.Client({ connectionString: given.url })
  await slow.connect()
  await slow.query('begin; lock table files in access exclusive mode')
  const missing = objectInventoryStore(database.pool).compare(async (comparison) => {
    await comparison.allAdded()
    const found = []
    for await (const { key } of comparison.missing()) found.push(key)
    return found
  })
  missing.catch(() => {})
  await sleep(5500)
  await slow.end()
  expect(await missing).toEqual([])
  await database.close()
})
