import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../platform/database/database.ts'
import { unavailable } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/logging/log.ts'
import { removalLock } from '../../../platform/storage/removal-lock.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { unusedObjects } from './unused-objects.ts'

let given: Awaited<ReturnType<typeof createTestDatabase>>
let database: ReturnType<typeof openDatabase>
let removing: ReturnType<typeof openDatabase>
beforeAll(async () => {
  given = await createTestDatabase()
  // A request that held the only connection would block all others.
  database = openDatabase({ url: given.url, applicationName: 'test', max: 1 })
  removing = openDatabase({ url: given.url, applicationName: 'test-removals', max: 1 })
})
afterAll(async () => {
  await Promise.all([database.close(), removing.close()])
  await given.drop()
})

const log = createLog('silent')
const letGoOf = (...keys: string[]) =>
  database.pool.query('insert into unused_objects (key) select unnest($1::text[])', [keys])
const left = async () => (await database.pool.query('select key from unused_objects order by key')).rows

test('while the storage removes an object, the database is free for others', async () => {
  await letGoOf('a', 'b')
  const remove = async () => void (await database.pool.query('select 1'))
  await unusedObjects({ pool: database.pool, objects: { remove }, removals: removalLock(removing.pool), log }).remove()
  expect(await left()).toEqual([])
})

test('while the storage is unavailable only one object is tried, and all stay recorded', async () => {
  await letGoOf('a', 'b', 'c')
  const asked: string[] = []
  let isAway = true
  const remove = async (key: string) => {
    asked.push(key)
    if (isAway) throw unavailable('away', 5)
  }
  const unused = unusedObjects({ pool: database.pool, objects: { remove }, removals: removalLock(removing.pool), log })
  await unused.remove()
  expect(asked).toHaveLength(1)
  expect(await left()).toHaveLength(3)
  isAway = false
  await unused.remove()
  expect(await left()).toEqual([])
  expect(asked.at(-1), 'the one that failed has come last').toBe(asked[0])
})

test('several calls at once share the work: no object is removed twice, and none is left', async () => {
  await letGoOf(...Array.from({ length: 350 }, (_, at) => `key ${at}`))
  const removed: string[] = []
  const remove = async (key: string) => {
    await database.pool.query('select 1')
    removed.push(key)
  }
  const unused = unusedObjects({ pool: database.pool, objects: { remove }, removals: removalLock(removing.pool), log })
  await Promise.all(Array.from({ length: 5 }, () => unused.remove()))
  expect(await left()).toEqual([])
  expect(removed).toHaveLength(350)
  expect(new Set(removed).size).toBe(350)
})

test('a request removes objects for a limited time, also those of others; a periodic job removes the rest', async () => {
  await letGoOf(...Array.from({ length: 20 }, (_, at) => `slow ${at}`))
  const remove = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  const unused = unusedObjects({ pool: database.pool, objects: { remove }, removals: removalLock(removing.pool), log })
  await unused.remove(50)
  expect((await left()).length).toBeGreaterThan(10)
  await unused.remove(Number.POSITIVE_INFINITY)
  expect(await left()).toEqual([])
})
