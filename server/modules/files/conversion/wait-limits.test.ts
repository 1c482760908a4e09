// @module-tag long
import { Agent, type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { formOf } from '../../../test/multipart.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let database: pg.Client
beforeAll(async () => {
  // No process runs jobs, so requests keep waiting.
  service = await startService({ CAIRN_ROLE: 'api', CAIRN_TRUSTED_PROXIES: 'loopback' })
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

let fileId: number
beforeEach(async () => {
  const bytes = boxGlb()
  fileId = (await service.anonymous.post('/api/upload', formOf({ name: 'chair.glb', bytes }))).body.results[0].fileId
})

const agent = new Agent({ maxSockets: 1000 })
/** Requests the USDZ from this many addresses, without awaiting the responses. */
function ask(
  many: number,
  ofEach = 1,
  credential: Record<string, string> = {},
): { requests: ClientRequest[]; statuses: number[] } {
  const statuses: number[] = []
  const requests = Array.from({ length: many }, (_, i) => {
    const address = `198.51.${Math.floor(i / ofEach / 250)}.${(Math.floor(i / ofEach) % 250) + 1}`
    const headers = { ...credential, 'x-forwarded-for': address, 'content-length': '0' }
    const one = request(`${service.url}/api/upload/${fileId}/converted_file`, { method: 'POST', agent, headers })
    one.on('response', (answer) => {
      statuses.push(answer.statusCode!)
      answer.resume()
    })
    one.on('error', () => {})
    one.end()
    return one
  })
  return { requests, statuses }
}

/** Transactions of this database in four seconds. */
async function transactions(): Promise<number> {
  const count = async () => {
    await database.query('select pg_stat_clear_snapshot()')
    const { rows } = await database.query<{ n: string }>(
      'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0]!.n)
  }
  const before = await count()
  await sleep(4000)
  return (await count()) - before
}

test('many requests that wait for one conversion send no queries, and are answered together', async () => {
  const nobody = await transactions()
  const { requests, statuses } = ask(200)
  // Each request sends a few queries on arrival; after the last one there are none.
  await expect.poll(transactions, { timeout: 80_000, interval: 1 }).toBeLessThan(nobody + 60)
  expect(statuses).toEqual([])
  await database.query(`update conversions set status = 'FAILED', error_code = 'unsupported', error = 'No.'`)
  for (let i = 0; i < 100 && statuses.length < 200; i++) await sleep(100)
  expect(statuses).toEqual(Array(200).fill(400))
  for (const one of requests) one.destroy()
})

test('a client that disconnects frees its place', async () => {
  await database.query('delete from conversions')
  const { requests } = ask(20, 20)
  await sleep(1000)
  for (const one of requests) one.destroy()
  await sleep(500)
  // The places of those who left are free.
  const again = ask(20, 20)
  await sleep(1500)
  expect(again.statuses).toEqual([])
  for (const one of again.requests) one.destroy()
  await sleep(500)
})

test('20 requests of an address wait, and one more is 429; 500 in all, and one more is 503; both say when to ask again', async () => {
  const own = ask(21, 21)
  await expect.poll(() => own.statuses).toEqual([429])
  for (const one of own.requests) one.destroy()
  await sleep(500)
  const all = ask(520)
  await expect.poll(() => all.statuses).toEqual(Array(20).fill(503))
  const refused = await service.anonymous.post(`/api/upload/${fileId}/converted_file`)
  expect(refused).toMatchObject({ status: 503, body: { error: expect.stringContaining('try again later') } })
  expect(refused.headers.get('retry-after')).toBe('10')
  for (const one of all.requests) one.destroy()
  await sleep(500)
})

test('50 requests of a user wait, from any address, and one more is 429', async () => {
  const { headers } = await buildersOn(service).user()
  const { requests, statuses } = ask(51, 1, headers)
  await expect.poll(() => statuses).toEqual([429])
  for (const one of requests) one.destroy()
  await sleep(500)
})

test('200 uploads of an app wait, and one more is answered at once', async () => {
  await database.query('delete from conversions')
  const app = await buildersOn(service).app()
  const answered: unknown[] = []
  const sent = Array.from({ length: 201 }, async (_, i) => {
    const caller = service.as({ ...app.headers, 'x-forwarded-for': `198.51.100.${i}` })
    const { body } = await caller.post('/api/upload/convert', formOf({ name: 'chair.glb', bytes: boxGlb() }))
    answered.push(body.status)
  })
  await expect.poll(() => answered, { interval: 20 }).toEqual(['PENDING'])
  await database.query(`update conversions set status = 'FAILED', error_code = 'unsupported', error = 'No.'`)
  await Promise.all(sent)
  expect(answered).toEqual(['PENDING', ...Array(200).fill('FAILED')])
})

test('an upload is kept and answered at once when too many wait', async () => {
  const own = ask(21, 21)
  await expect.poll(() => own.statuses).toEqual([429])
  const headers = { 'x-forwarded-for': '198.51.0.1' }
  const answer = await service.as(headers).post('/api/upload/convert', formOf({ name: 'chair.glb', bytes: boxGlb() }))
  expect(answer).toMatchObject({ status: 200, body: { originalFile: { fileType: 'GLB' } } })
  expect(answer.body.convertedFile).toBeUndefined()
  for (const one of own.requests) one.destroy()
})
