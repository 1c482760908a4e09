import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
let holder: pg.Client
beforeAll(async () => {
  service = await startService()
  holder = new pg.Client({ connectionString: service.databaseUrl })
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await service.stop()
})

const LOCKED = {
  status: 503,
  body: { error: 'The record or table is locked by another request. Retry in a second' },
}

test('a locked table gives its requests a 503, and leaves connections to requests on others', {
  tags: ['long'],
}, async () => {
  const { anonymous } = service
  for (const path of ['/api/gcp', '/api/zones']) expect((await anonymous.get(path)).status).toBe(200)
  await holder.query('begin; lock table gcps in access exclusive mode')
  const answers: Answer[] = []
  const asked = Array.from({ length: 400 }, async () => answers.push(await anonymous.get('/api/gcp')))
  await sleep(500)
  // Each is answered while the lock is held.
  for (let i = 0; i < 20; i++) expect((await anonymous.get('/api/zones')).status).toBe(200)
  await Promise.all(asked)
  for (const answer of answers) {
    expect(answer).toMatchObject(LOCKED)
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  await holder.query('rollback')
  expect((await anonymous.get('/api/gcp')).status).toBe(200)
})

test('a change of a row locked for long is 503 and does nothing', { tags: ['long'] }, async () => {
  const user = await buildersOn(service).user()
  const zone = (await user.post('/api/zones', { title: 'Before' })).body
  await holder.query('begin')
  await holder.query('select from zones where id = $1 for update', [zone.id])
  expect(await user.put(`/api/zones/${zone.id}`, { title: 'After' })).toMatchObject(LOCKED)
  await holder.query('rollback')
  expect((await user.get(`/api/zones/${zone.id}`)).body).toMatchObject({ title: 'Before' })
  expect(await user.put(`/api/zones/${zone.id}`, { title: 'After' })).toMatchObject({ status: 200 })
})

test('a sender that waits for a lock does not block others that need the same tables', { tags: ['long'] }, async () => {
  const proxied = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback' })
  const client = new pg.Client({ connectionString: proxied.databaseUrl })
  await client.connect()
  const user = await buildersOn(proxied).user()
  const from = (address: string) => ({ ...user.headers, 'x-forwarded-for': address })
  const zone = (await user.post('/api/zones', { title: 'Locked' })).body
  await client.query('begin')
  await client.query('select from zones where id = $1 for update', [zone.id])
  let isHeld = true
  const waiters = Array.from({ length: 8 }, async () => {
    while (isHeld) await proxied.request('PUT', `/api/zones/${zone.id}`, { title: 'A' }, from('198.51.100.1'))
  })
  await sleep(2000)
  for (let i = 0; i < 20; i++) {
    expect((await proxied.request('GET', '/api/zones', undefined, from('203.0.113.9'))).status).toBe(200)
    await sleep(100)
  }
  isHeld = false
  await client.query('rollback')
  await Promise.all(waiters)
  await client.end()
  await proxied.stop()
})

test('a job waits for a lock without limit', { tags: ['long'] }, async () => {
  const user = await buildersOn(service).user()
  const app = (await user.post('/api/v1/apps', { name: 'Gone', description: 'Soon' })).body
  await user.delete(`/api/v1/apps/${app.id}?name=Gone`)
  await holder.query('begin; lock table idempotency_keys in access exclusive mode')
  await sleep(5000)
  const { rows } = await holder.query(`select retry_count from pgboss.job where name = 'purge-app'`)
  expect(rows).toEqual([{ retry_count: 0 }])
  await holder.query('rollback')
  await expect.poll(async () => (await holder.query('select from apps where id = $1', [app.id])).rows).toEqual([])
})
