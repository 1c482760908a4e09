import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { createTestDatabase } from '../../test/database.ts'
import { startService } from '../../test/service.ts'
import { openDatabase } from './database.ts'
import { databaseError } from './database-errors.ts'

test('a write for a user who is erased at the same moment is 409 and leaves nothing behind', async () => {
  const service = await startService()
  const given = buildersOn(service)
  const database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  /** The session is cached for a moment, during which the user is deleted. Retries if the moment has passed. */
  const writeOfErased = async () => {
    for (;;) {
      const user = await given.user()
      expect((await user.get('/api/v1/apps')).status).toBe(200)
      await database.query('delete from users where id = $1', [user.id])
      const answer = await user.post('/api/v1/apps', { name: 'Trail', description: 'A game' })
      if (answer.status !== 401) return answer
    }
  }
  try {
    expect(await writeOfErased()).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('has been deleted') },
    })
    expect((await database.query('select from apps')).rows).toHaveLength(0)
  } finally {
    await database.end()
    await service.stop()
  }
})

test('of two deadlocked writers one is rolled back: 503', { tags: ['long'] }, async () => {
  const service = await startService()
  const user = await buildersOn(service).user()
  const other = new pg.Client({ connectionString: service.databaseUrl })
  await other.connect()
  try {
    await other.query("set deadlock_timeout = '5s'")
    /** @returns undefined if the other writer was rolled back: PostgreSQL checks for deadlocks half a second after the wait began. */
    const inEachOthersWay = async () => {
      const { id: zoneId } = (await user.post('/api/zones', { title: `Park ${randomUUID()}` })).body
      const { id } = (await user.post('/api/gcp', { title: randomUUID(), gcpType: 'SINGLE', zoneId })).body.gcp
      await other.query('begin')
      await other.query('select from gcps where id = $1 for update', [id])
      const removal = user.delete(`/api/zones/${zoneId}?cascade=true`)
      const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
      while ((await other.query(waits)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      const isFirst = await other.query('select from zones where id = $1 for update', [zoneId]).then(
        () => true,
        () => false,
      )
      await other.query('rollback')
      const answer = await removal
      return isFirst ? { ...answer, id, zoneId } : undefined
    }
    const taken = (await inEachOthersWay()) ?? (await inEachOthersWay()) ?? (await inEachOthersWay())
    const { status, headers, body, id, zoneId } = taken!
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', expect.stringContaining('try again')])
    expect((await user.get(`/api/gcp/${id}`)).status).toBe(200)
    expect((await user.delete(`/api/zones/${zoneId}?cascade=true`)).status).toBe(204)
  } finally {
    await other.end()
    await service.stop()
  }
})

test('a connection that breaks in a transaction is 503, although its rollback fails for another reason', async () => {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, applicationName: 'test', max: 1 })
  try {
    database.pool.on('connect', (client) => {
      const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } }).connection
      setTimeout(() => stream.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })), 50)
    })
    const broken = database.kysely.transaction().execute((transaction) => sql`select pg_sleep(20)`.execute(transaction))
    const error = await broken.catch((reason: unknown) => reason)
    expect(databaseError(error)).toMatchObject({ status: 503 })
  } finally {
    await database.close()
    await drop()
  }
})
