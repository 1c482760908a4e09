// @module-tag long
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { rankCluster } from './rank-cluster.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const generation = async () => (await sql.query('select generation from rank_generation')).rows[0].generation
const start = (processId = randomUUID()) => ({
  processId,
  ...rankCluster({ url: database.url, processId, onError: () => {} }),
})

describe('processes that keep ranks together', () => {
  test('one that tells nothing and was taken for dead makes sure after each commit that no board lacks it', async () => {
    const [one, other] = [start(), start()]
    await Promise.all([one.ready(), other.ready()])
    const before = await generation()
    await one.leave()
    const outside = await generation()
    expect(outside).not.toBe(before)
    // While nobody forgets it there is nothing to be done.
    await one.leave()
    expect(await generation()).toBe(outside)

    // What rank_beat does with a process whose beat is missing; another one may load boards of that generation.
    await sql.query('begin')
    await sql.query('delete from rank_processes where id = $1', [one.processId])
    await sql.query('select new_rank_generation()')
    await sql.query('commit')
    const forgotten = await generation()
    await one.leave()
    expect(await generation()).not.toBe(forgotten)
    expect((await sql.query('select is_out from rank_processes where id = $1', [one.processId])).rows).toEqual([
      { is_out: true },
    ])
    // Whoever relied on the one before has learned of it, or relies on none.
    expect([undefined, await generation()]).toContain(other.generation())
    await Promise.all([one, other].map((process) => process.stop({ leave: true })))
  })

  test('one that may have left something untold takes no leave: the next beat of another makes a new generation', async () => {
    const [one, other] = [start(), start()]
    await one.ready()
    await other.ready()
    const before = await generation()
    await one.stop({ leave: false })
    await expect.poll(generation).not.toBe(before)
    await other.stop({ leave: true })
  })
})
