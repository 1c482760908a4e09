import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ChangeFeed, createChangeFeed, publishChange } from '../../../platform/changes/feed.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { createLog } from '../../../platform/logging/log.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { BOARD_TOPIC, boardChangePublisher } from './board-change-publisher.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: Database
const ending: (() => unknown)[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openDatabase({ url: database.url, applicationName: 'news', max: 4 })
})
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

/** A process that publishes and listens, and reads the feed on `catchUp`. */
async function process(processId: string) {
  const feed: ChangeFeed = createChangeFeed({ pool: pool.pool, log: createLog('silent'), pollMs: 1_000_000 })
  const [heard, errors]: [string[], unknown[]] = [[], []]
  const broken = { publish: false }
  const news = boardChangePublisher({
    processId,
    changes: feed,
    publish: async (subjects) => {
      if (broken.publish) throw new Error('away')
      await publishChange(pool.kysely, BOARD_TOPIC, subjects)
    },
    wroteElsewhere: (appId, typeKey) => void heard.push(`${appId}/${typeKey}`),
    wroteAny: () => void heard.push('any'),
    onError: (error) => errors.push(error),
  })
  await feed.start()
  ending.push(news.stop, feed.stop)
  return { news, heard, errors, broken, catchUp: feed.catchUp }
}
const rows = async () => Number((await pool.pool.query('select count(*) as count from changes')).rows[0].count)

test('other processes hear which boards were written to, many writes in one row, and none hears its own', async () => {
  const [one, two] = [await process('one'), await process('two')]
  const before = await rows()
  for (let i = 0; i < 1000; i++) {
    one.news.wrote('app', 'type')
    one.news.wrote('app', `type${i % 3}`)
  }
  two.news.wrote('other', 'type')
  while ((await rows()) < before + 2) await sleep(10)
  await Promise.all([one, two].map(({ catchUp }) => catchUp()))
  expect(two.heard.toSorted()).toEqual(['app/type', 'app/type0', 'app/type1', 'app/type2'])
  expect(one.heard).toEqual(['other/type'])
  await sleep(400)
  expect(await rows()).toBe(before + 2)
})

test('more than 200 changed boards are published as "any board"', async () => {
  const [one, two] = [await process('one'), await process('two')]
  const before = await rows()
  for (let i = 0; i < 201; i++) one.news.wrote('app', `type${i}`)
  while ((await rows()) < before + 1) await sleep(10)
  await two.catchUp()
  expect(two.heard).toEqual(['any'])
})

test('a failed publication is dropped and logged once; later writes are published', async () => {
  const [one, two] = [await process('one'), await process('two')]
  one.broken.publish = true
  for (const type of ['a', 'b']) {
    one.news.wrote('app', type)
    await sleep(250)
  }
  expect(one.errors).toHaveLength(1)
  one.broken.publish = false
  const before = await rows()
  one.news.wrote('app', 'c')
  while ((await rows()) < before + 1) await sleep(10)
  await two.catchUp()
  expect(two.heard).toEqual(['app/c'])
})
