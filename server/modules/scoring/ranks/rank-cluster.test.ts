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

describe('processes that share ranks', () => {
  test('a silent process that was removed verifies after each commit that no board lacks it', async () => {
    const [one, other] = [start(), start()]
    await Promise.all([one.ready(), other.ready()])
    const before = await generation()
    await one.leave()
    const outside = await generation()
    expect(outside).not.toBe(before)
    // While it is registered, nothing is done.
    await one.leave()
    expect(await generation()).toBe(outside)

    // Like rank_beat for a process without a heartbeat; another one may load boards of that generation.
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
    // Every process that used the previous generation knows the new one, or uses none.
    expect([undefined, await generation()]).toContain(other.generation())
    await Promise.all([one, other].map((process) => process.stop({ leave: true })))
  })

  test('a process with unpublished changes does not deregister: the next heartbeat of another starts a new generation', async () => {
    const [one, other] = [start(), start()]
    await one.ready()
    await other.ready()
    const before = await generation()
    await one.stop({ leave: false })
    await expect.poll(generation).not.toBe(before)
    await other.stop({ leave: true })
  })
})
