import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn, type User } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'
import { databaseError } from '../database-errors.ts'
import { createBulkThread } from './bulk-reads.ts'

/** More than two batches. */
const POINTS = 2500

let service: Service
let database: pg.Client
let user: User
let zoneId: number
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  zoneId = (await user.post('/api/zones', { title: 'Park' })).body.id
  await database.query(
    `with made as (insert into gcps (title, title_key, gcp_type, zone_id, description)
                   select 'Größe "' || i || '" 𝄞', 'point ' || i, 'SINGLE', $1, repeat('x', 500)
                     from generate_series(1, ${POINTS}) i returning id, title, zone_id)
     insert into pins (title, content_type, gcp_id, zone_id) select title, 'GCP', id, zone_id from made`,
    [zoneId],
  )
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

const page = (query = '') => user.get(`/api/gcp?zoneId=${zoneId}${query}`)
/** Backends of the thread that run a statement, or all. */
const backends = async (state = '%') =>
  (
    await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'cairn-bulk' and datname = current_database() and state like $1`,
      [state],
    )
  ).rows.map(({ pid }) => pid)

test('a large page, read in the thread, has the records of small pages, read without it', async () => {
  const small = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const { body, headers } = await page(`&limit=900${next}`)
    small.push(...body)
    next = /cursor=[^&>]+/.exec(headers.get('link') ?? '')?.[0].replace(/^/, '&')
  }
  expect(await backends()).toEqual([])
  const { status, body } = await page()
  expect([status, body.length]).toEqual([200, POINTS])
  expect(await backends()).not.toEqual([])
  expect(body).toEqual(small)
})

test('a large export has all points once', async () => {
  const { body } = await user.get(`/api/gcp/zone/${zoneId}/export?format=geojson`)
  const titles = body.features.map(({ properties }: { properties: { title: string } }) => properties.title)
  expect(titles).toHaveLength(POINTS)
  expect(new Set(titles)).toEqual(new Set(Array.from({ length: POINTS }, (_, i) => `Größe "${i + 1}" 𝄞`)))
})

test('after the database has ended its connections, the next large page is whole', async () => {
  expect((await page()).body).toHaveLength(POINTS)
  const ended = await backends()
  expect(ended).not.toEqual([])
  await database.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [ended])
  await expect.poll(() => backends()).toEqual([])
  expect((await page()).body).toHaveLength(POINTS)
})

test('a large page that waits too long for a lock is a 503, and whole after it', async () => {
  await database.query('begin; lock table zones in access exclusive mode')
  const { status } = await page()
  await database.query('rollback')
  expect(status).toBe(503)
  expect((await page()).body).toHaveLength(POINTS)
})

test('a client that leaves in the middle of a large page stops its reads', async () => {
  const url = `${service.url}/api/gcp?zoneId=${zoneId}`
  await new Promise<void>((resolve) => {
    const request = get(url, { headers: user.headers }, (response) => {
      response.once('data', () => response.destroy())
      response.once('close', resolve)
    })
    request.on('error', () => {})
  })
  await expect.poll(() => backends('active')).toEqual([])
  expect((await page()).body).toHaveLength(POINTS)
})

test('a statement that is cancelled, or whose connection ends, is a 503 and leaves the thread usable', async () => {
  const thread = createBulkThread()
  const pool = thread.pool(service.databaseUrl, { applicationName: 'cairn-bulk-test' })
  const running = `from pg_stat_activity where application_name = 'cairn-bulk-test' and state = 'active'`
  try {
    for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
      const failed = pool.query('select pg_sleep(60)').catch((error: unknown) => databaseError(error)?.status)
      await expect.poll(async () => (await database.query(`select ${end}(pid) ${running}`)).rowCount).toBe(1)
      expect(await failed).toBe(503)
    }
    // The choice of a replica ends the connection of a statement like this.
    const client = await pool.connect()
    const ended = client.query('select pg_sleep(60)').catch((error: Error) => error)
    await expect.poll(async () => (await database.query(`select ${running}`)).rowCount).toBe(1)
    ;(client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
    expect(await ended).toMatchObject({ message: expect.stringContaining('Connection terminated') })
    expect(databaseError(await ended)?.status).toBe(503)
    expect((await pool.query(`select 'ä' as text, null as other`)).rows).toEqual([
      { text: new TextEncoder().encode('ä'), other: null },
    ])
  } finally {
    await thread.close()
  }
})

test('a statement that waits fails as soon as it is abandoned: for its turn, or for a connection', async () => {
  const thread = createBulkThread()
  const pool = thread.pool(service.databaseUrl, { applicationName: 'cairn-bulk-waits' })
  const running = `from pg_stat_activity where application_name = 'cairn-bulk-waits' and state = 'active'`
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const unanswered = thread.pool(`postgres://nobody@127.0.0.1:${port}/none`, { applicationName: 'x', connectMs: 3.6e6 })
  try {
    const slow = [0, 1].map(() => pool.query('select pg_sleep(60)').catch(() => 'ended'))
    await expect.poll(async () => (await database.query(`select ${running}`)).rowCount).toBe(2)
    expect(await abandoned(await pool.connect())).toBe(503)
    expect((await database.query(`select ${running}`)).rowCount).toBe(2)

    const client = await unanswered.connect()
    expect(await abandoned(client, once(silent, 'connection'))).toBe(503)
    // Nothing is sent for a client that was abandoned before.
    expect(await abandoned(client)).toBe(503)

    await database.query(`select pg_terminate_backend(pid) ${running}`)
    expect(await Promise.all(slow)).toEqual(['ended', 'ended'])
  } finally {
    silent.close()
    for (const socket of sockets) socket.destroy()
    await thread.close()
  }
})

/** The status of a statement that is abandoned once something has happened. */
async function abandoned(client: pg.PoolClient, once: Promise<unknown> = Promise.resolve()): Promise<unknown> {
  const failed = client.query('select 1').catch((error: unknown) => databaseError(error)?.status)
  await once
  ;(client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
  return failed
}

test('two statements run at a time, and beyond 500 that wait each further one is a 503', async () => {
  const thread = createBulkThread()
  const pool = thread.pool(service.databaseUrl, { applicationName: 'cairn-bulk-full' })
  const running = `from pg_stat_activity where application_name = 'cairn-bulk-full'`
  try {
    const slow = [0, 1].map(() => pool.query('select pg_sleep(60)').catch(() => 'ended'))
    const others = Array.from({ length: 505 }, () =>
      pool.query('select 1').then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    )
    await expect.poll(async () => (await database.query(`select ${running}`)).rowCount).toBe(2)
    await database.query(`select pg_terminate_backend(pid) ${running}`)
    expect(await Promise.all(slow)).toEqual(['ended', 'ended'])
    const statuses = await Promise.all(others)
    expect(statuses.filter((status) => status === 503)).toHaveLength(5)
    expect(statuses.filter((status) => status === 200)).toHaveLength(500)
  } finally {
    await thread.close()
  }
})
