import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createLog } from '../logging/log.ts'
import { type ChangeFeed, createChangeFeed, publishChange } from './feed.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: Database
let feed: ChangeFeed
let heard: string[]
let lost: number
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openDatabase({ url: database.url, applicationName: 'feed', max: 2 })
})
beforeEach(async () => {
  heard = []
  lost = 0
  // So slow that only `catchUp` reads.
  feed = createChangeFeed({ pool: pool.pool, log: createLog('silent'), pollMs: 1_000_000 })
  feed.listen(
    'pin',
    (subjects) => void heard.push(...subjects),
    () => void lost++,
  )
  await feed.start()
})
afterEach(() => feed.stop())
afterAll(async () => {
  await pool.close()
  await database.drop()
})

const publish = (...subjects: string[]) => publishChange(pool.kysely, 'pin', subjects)

async function openTransaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('begin')
  return client
}
const publishIn = (client: pg.Client, subject: string) =>
  client.query(`insert into changes (topic, subjects) values ('pin', array[$1])`, [subject])
async function end(client: pg.Client, how: 'commit' | 'rollback') {
  await client.query(how)
  await client.end()
}

test('reports every change once, in order, to listeners of its topic only', async () => {
  await publish('1', '2')
  await publishChange(pool.kysely, 'scan', ['other'])
  await feed.catchUp()
  await publish('3')
  await feed.catchUp()
  await feed.catchUp()
  expect(heard).toEqual(['1', '2', '3'])
})

test('does not report changes committed before the start', async () => {
  await publish('before')
  const later = createChangeFeed({ pool: pool.pool, log: createLog('silent'), pollMs: 1_000_000 })
  const told: string[] = []
  later.listen('pin', (subjects) => void told.push(...subjects))
  await later.start()
  await publish('after')
  await later.catchUp()
  await later.stop()
  expect(told).toEqual(['after'])
})

test('reports a change that commits late once, after later ones, without repeating these', async () => {
  const slow = await openTransaction()
  await publishIn(slow, 'slow')
  await publish('quick')
  await feed.catchUp()
  expect(heard).toEqual(['quick'])
  await publish('quicker')
  await feed.catchUp()
  await end(slow, 'commit')
  await feed.catchUp()
  await feed.catchUp()
  expect(heard).toEqual(['quick', 'quicker', 'slow'])
})

test('never reports what is rolled back', async () => {
  const failing = await openTransaction()
  await publishIn(failing, 'never')
  await feed.catchUp()
  await end(failing, 'rollback')
  await publish('ever')
  await feed.catchUp()
  expect(heard).toEqual(['ever'])
})

test('reports each change of a hundred concurrent writers once during reads', async () => {
  const writers = Array.from({ length: 100 }, (_, at) => publish(String(at)))
  let isDone = false
  const done = Promise.all(writers).then(() => {
    isDone = true
  })
  while (!isDone) await feed.catchUp()
  await done
  await feed.catchUp()
  expect(heard.map(Number).sort((a, b) => a - b)).toEqual(writers.map((_, at) => at))
})

test('a failing listener does not affect others', async () => {
  const others: string[] = []
  feed.listen('pin', () => Promise.reject(new Error('no')))
  const end = feed.listen('pin', (subjects) => void others.push(...subjects))
  await publish('1')
  await feed.catchUp()
  expect(others).toEqual(['1'])
  end()
  await publish('2')
  await feed.catchUp()
  expect(others).toEqual(['1'])
  expect(heard).toEqual(['1', '2'])
})

test('reports a loss to a process that was away for longer than changes are kept', async () => {
  // Its position is from long ago, as after a suspended machine.
  const real = pool.pool.query.bind(pool.pool)
  let hours = 0
  const asleep = { query: async (...args: unknown[]) => later(await (real as never as Query)(...args), hours) }
  const sleeper = createChangeFeed({ pool: asleep as never, log: createLog('silent'), pollMs: 1_000_000 })
  let isLost = false
  const told: string[] = []
  sleeper.listen(
    'pin',
    (subjects) => void told.push(...subjects),
    () => {
      isLost = true
    },
  )
  await sleeper.start()
  hours = 1
  await publish('unread')
  await sleeper.catchUp()
  expect([isLost, told]).toEqual([true, []])
  await publish('read')
  await sleeper.catchUp()
  await sleeper.stop()
  expect(told).toEqual(['read'])
  expect(lost).toBe(0)
})

test('reports a loss to a process whose database was restarted, because it may be another one', async () => {
  const real = pool.pool.query.bind(pool.pool)
  let server = 'before'
  const replaced = async (...args: unknown[]) => {
    const result = await (real as never as Query)(...args)
    return { ...result, rows: result.rows.map((row) => ({ ...row, server })) }
  }
  const reader = createChangeFeed({ pool: { query: replaced } as never, log: createLog('silent'), pollMs: 1_000_000 })
  let losses = 0
  reader.listen(
    'pin',
    () => {},
    () => void losses++,
  )
  await reader.start()
  await reader.catchUp()
  expect(losses).toBe(0)
  server = 'after'
  await reader.catchUp()
  await reader.catchUp()
  await reader.stop()
  expect(losses).toBe(1)
})

test('keeps a change that commits long after it was written until every process could read it, and then deletes it', async () => {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 200) {
      now += 200_000
      await feed.catchUp()
    }
  }
  const sweeper = createChangeFeed({ pool: pool.pool, log: createLog('silent') })
  try {
    const slow = await openTransaction()
    await slow.query(
      `insert into changes (topic, subjects, at) values ('pin', array['slowest'], now() - interval '20 minutes')`,
    )
    await sweeper.sweep()
    await pass(700)
    await sweeper.sweep()
    await end(slow, 'commit')
    await sweeper.sweep()
    await feed.catchUp()
    expect([heard, lost]).toEqual([['slowest'], 0])

    await sweeper.sweep()
    await pass(700)
    await sweeper.sweep()
    const { rows } = await pool.pool.query(`select from changes where 'slowest' = any(subjects)`)
    expect(rows).toEqual([])
  } finally {
    clock.mockRestore()
  }
})

type Query = (...args: unknown[]) => Promise<{ rows: { now?: string }[] }>
const later = (result: Awaited<ReturnType<Query>>, hours: number) => ({
  ...result,
  rows: result.rows.map((row) => (row.now ? { ...row, now: String(Number(row.now) + hours * 3_600_000) } : row)),
})
