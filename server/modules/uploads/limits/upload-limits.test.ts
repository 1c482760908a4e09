import { statfs } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { databaseClock } from '../../../platform/database/clock.ts'
import { buildersOn } from '../../../test/builders.ts'
import { formHeaders, formOf, rawForm } from '../../../test/multipart.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

const MB = 2 ** 20

let service: Service
const start = async (settings: Record<string, string>) => {
  service = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback', ...settings })
}
afterEach(() => service.stop())

const from = (address: string, headers: Record<string, string> = {}) =>
  service.as({ 'x-forwarded-for': address, ...headers })
const note = () => formOf({ name: 'a.txt', bytes: 'hello' })

async function statuses(count: number, send: () => Promise<{ status: number }>) {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await send()).status)
  return seen
}

type Sent = { status: number; body: { error?: string }; sent: number }

/** A form of that many bytes, chunked or with a length; stops when it is answered. */
function sendForm(
  size: number,
  { chunked = false, headers = {} as Record<string, string>, path = '/api/upload' } = {},
) {
  const edges = rawForm([{ name: 'a.bin', bytes: '' }]).length
  const form = rawForm([{ name: 'a.bin', bytes: Buffer.alloc(size - edges, 7) }])
  return new Promise<Sent>((resolve, reject) => {
    const length = chunked ? {} : { 'content-length': String(form.length) }
    let at = 0
    let isAnswered = false
    const outgoing = request(`${service.url}${path}`, {
      method: 'POST',
      headers: { ...formHeaders, ...length, ...headers },
    })
    outgoing.on('response', async (answer) => {
      isAnswered = true
      const text = Buffer.concat(await answer.toArray()).toString()
      resolve({ status: answer.statusCode!, body: JSON.parse(text), sent: at })
      outgoing.destroy()
    })
    outgoing.on('error', (error) => isAnswered || reject(error))
    const go = () => {
      if (isAnswered) return
      if (at >= form.length) return void outgoing.end()
      const piece = form.subarray(at, at + 64 * 1024)
      at += piece.length
      outgoing.write(piece, () => setImmediate(go))
    }
    go()
  })
}

describe('uploads an hour', () => {
  test('are exactly 60 for an address without a credential, of any kind and outcome', {
    tags: ['long'],
  }, async () => {
    await start({ CAIRN_LIMIT_UPLOADS_PER_HOUR: '' })
    const caller = from('203.0.113.1')
    const first = await caller.post('/api/upload', note())
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toContain('"uploads";q=60;w=3600')
    expect(first.headers.get('ratelimit')).toMatch(/"uploads";r=59;t=(3600|35\d\d)/)
    expect(await statuses(29, () => caller.post('/api/upload/convert', note()))).toEqual(Array(29).fill(200))
    expect(await statuses(30, () => caller.post('/api/upload', {}))).toEqual(Array(30).fill(415))
    const over = await caller.post('/api/upload', note())
    expect(over).toMatchObject({
      status: 429,
      body: { error: expect.stringMatching(/60 uploads per hour.*Retry in \d+ seconds$/) },
    })
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(over.headers.get('ratelimit')).toMatch(/^"uploads";r=0;t=\d+$/)
    expect((await from('203.0.113.2').post('/api/upload', note())).status).toBe(200)
    expect((await caller.get('/api/v1/apps/public')).status).toBe(200)
  })

  test('an IPv6 /64 is one sender', async () => {
    await start({ CAIRN_LIMIT_UPLOADS_PER_HOUR: '2' })
    let last = 1
    const send = () => from(`2001:db8:0:1::${last++}`).post('/api/upload', note())
    expect(await statuses(3, send)).toEqual([200, 200, 429])
    expect((await from('2001:db8:0:2::1').post('/api/upload', note())).status).toBe(200)
  })

  test('a user, and an app by its key, may make ten times as many, from any address', async () => {
    await start({ CAIRN_LIMIT_UPLOADS_PER_HOUR: '1' })
    const given = buildersOn(service)
    const user = await given.user()
    const app = await given.app()
    for (const { headers } of [user, app]) {
      let last = 1
      const send = () => from(`198.51.100.${last++}`, headers).post('/api/upload', note())
      expect(await statuses(11, send)).toEqual([...Array(10).fill(200), 429])
    }
    expect((await from('198.51.100.1').post('/api/upload', note())).status).toBe(200)
  })

  test('profile images are uploads; other requests of the app are not', async () => {
    await start({ CAIRN_LIMIT_UPLOADS_PER_HOUR: '1' })
    const given = buildersOn(service)
    const app = await given.app()
    const { id } = await given.player(app)
    const image = () => app.patch(`/api/v1/apps/players/${id}/profile-image`, formOf({ field: 'image', bytes: 'none' }))
    expect(await statuses(11, image)).toEqual([...Array(10).fill(400), 429])
    expect((await app.get('/api/v1/apps/players')).status).toBe(200)
  })

  test('an invalid app key is refused for uploads too', async () => {
    await start({})
    expect((await service.as({ 'x-app-api-key': 'cairn_wrong' }).post('/api/upload', note())).status).toBe(401)
  })
})

describe('uploaded bytes an hour', () => {
  test('are accepted up to the last byte; more is 429 before the body is read', async () => {
    await start({ CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: String(3 * MB) })
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    expect(await sendForm(MB, { headers })).toMatchObject({ status: 200 })
    const over = await sendForm(2 * MB + 1, { headers })
    expect(over).toMatchObject({ status: 429, body: { error: expect.stringMatching(/uploaded bytes per hour/) } })
    expect(await sendForm(2 * MB, { headers })).toMatchObject({ status: 200 })
    expect((await sendForm(1000, { headers })).status).toBe(429)
    expect((await sendForm(1000, { headers: { 'x-forwarded-for': '203.0.113.2' } })).status).toBe(200)
  })

  test('of an interrupted body, only received bytes count, so that announcing gains nothing', {
    tags: ['long'],
  }, async () => {
    await start({ CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: String(3 * MB) })
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    const begun = await service.request('POST', '/api/upload/tus', undefined, {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(2 * MB),
    })
    const at = begun.headers.get('location')!
    const head = { ...headers, 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
    const offset = async () => Number((await service.request('HEAD', at, undefined, head)).headers.get('upload-offset'))
    for (let i = 1; i <= 4; i++) {
      const from = await offset()
      const left = String(2 * MB - from)
      const piece = request(at, {
        method: 'PATCH',
        headers: { ...head, 'upload-offset': from, 'content-length': left },
      })
      piece.on('error', () => {})
      piece.write(Buffer.alloc(1000))
      await expect.poll(offset).toBe(1000 * i)
      piece.destroy()
    }
    const send = (size: number) => sendForm(size, { headers })
    await expect.poll(async () => (await send(2 * MB)).status).toBe(200)
    expect((await send(MB)).status).toBe(429)
    expect((await send(MB - 10_000)).status).toBe(200)
    expect((await send(MB)).status).toBe(429)
  })

  test('without a length count as they arrive and are cut off at the limit; nothing is stored', {
    tags: ['long'],
  }, async () => {
    await start({ CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: String(8 * MB) })
    expect((await sendForm(4 * MB, { chunked: true })).status).toBe(200)
    const over = await sendForm(200 * MB, { chunked: true })
    expect(over).toMatchObject({
      status: 429,
      body: { error: expect.stringMatching(/uploaded bytes per hour.*Retry in/) },
    })
    expect(over.sent).toBeLessThan(100 * MB)
    const database = new pg.Client({ connectionString: service.databaseUrl })
    await database.connect()
    expect((await database.query('select count(*) as n from files')).rows).toEqual([{ n: '1' }])
    await database.end()
    expect((await from('203.0.113.9').post('/api/upload', note())).status).toBe(200)
  })
})

describe('bytes of a day', () => {
  test('beyond them every upload is 507 with Retry-After; the rest of the service continues', {
    tags: ['long'],
  }, async () => {
    await start({ CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: String(4 * MB) })
    expect((await sendForm(3 * MB)).status).toBe(200)
    const over = await sendForm(MB + 1)
    expect(over).toMatchObject({ status: 507, body: { error: expect.stringMatching(/daily upload limit/) } })
    expect((await sendForm(9 * MB, { chunked: true })).status).toBe(507)
    const user = await buildersOn(service).user()
    const refused = await user.post('/api/upload', formOf({ bytes: Buffer.alloc(3 * MB) }))
    expect(refused.status).toBe(507)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await service.anonymous.get('/api/v1/apps/public')).status).toBe(200)
    const row = async () => {
      const database = new pg.Client({ connectionString: service.databaseUrl })
      await database.connect()
      const { rows } = await database.query(`select bytes::int as bytes from upload_days`)
      await database.end()
      return rows
    }
    await expect.poll(row).toEqual([{ bytes: expect.toSatisfy((bytes: number) => bytes >= 3 * MB) }])
  })

  test('count the bytes of other processes, and of this one before a restart', async () => {
    await start({ CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: String(4 * MB) })
    expect((await sendForm(MB)).status).toBe(200)
    const database = new pg.Client({ connectionString: service.databaseUrl })
    await database.connect()
    await database.query(
      `insert into upload_days values ((now() at time zone 'utc')::date, ${4 * MB})
       on conflict (day) do update set bytes = excluded.bytes`,
    )
    expect((await sendForm(1000)).status).toBe(507)
    await database.query(`update upload_days set day = day - 1`)
    await database.end()
  })

  test('a day starts by the clock of the database, not of the machine', { tags: ['long'] }, async () => {
    await start({ CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: String(2 * MB) })
    const clock = { ...databaseClock(), now: () => Date.now() }
    const other = await startSecondService(service, { CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: String(2 * MB) }, clock)
    const send = async () => (await other.as({}).post('/api/upload', formOf({ bytes: Buffer.alloc(MB + 1) }))).status
    try {
      expect(await send()).toBe(200)
      await expect.poll(send).toBe(507)
      // The bytes of an upload are counted after its response, by the clock of then.
      await expect.poll(() => sqlOn(service)('select from upload_days')).toHaveLength(1)
      clock.now = () => Date.now() + 86_400_000
      expect(await send()).toBe(200)
    } finally {
      await other.stop()
    }
  })
})

describe('the disk', () => {
  test('an upload that would exceed the reserve is 507, others are accepted', async () => {
    const { bavail, bsize } = await statfs(tmpdir())
    // Others use the disk during the test, so both margins are wide.
    const room = 2000 * MB
    await start({ CAIRN_DISK_RESERVE_BYTES: String(bavail * bsize - room), CAIRN_UPLOAD_MAX_BYTES: String(2 ** 40) })
    expect((await sendForm(MB)).status).toBe(200)
    await expect
      .poll(() => announce(2 * room))
      .toMatchObject({ status: 507, body: { error: expect.stringMatching(/disk/) } })
    expect((await service.anonymous.get('/api/v1/apps/public')).status).toBe(200)
  })

  test('announced bytes in transit count as used', { tags: ['long'] }, async () => {
    const { bavail, bsize } = await statfs(tmpdir())
    const room = 4000 * MB
    await start({ CAIRN_DISK_RESERVE_BYTES: String(bavail * bsize - room), CAIRN_UPLOAD_MAX_BYTES: String(2 ** 40) })
    const holding = request(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { ...formHeaders, 'content-length': String(room * 0.6) },
    })
    holding.on('error', () => {})
    holding.write(rawForm([{ name: 'a.bin', bytes: 'begun' }], { ending: '' }))
    // Of two concurrent uploads, either may be first.
    const begun = async () => /^cairn_upload_bytes_total [1-9]/m.test((await service.anonymous.get('/metrics')).body)
    await expect.poll(begun).toBe(true)
    await expect.poll(async () => (await announce(room * 0.6)).status).toBe(507)
    holding.destroy()
    await expect.poll(async () => (await announce(room * 0.6)).status).toBe(undefined)
  })
})

/** Announces a length and sends nothing. @returns the response, or none within a second if the service waits for the body */
function announce(bytes: number) {
  return new Promise<Partial<Sent>>((resolve) => {
    const outgoing = request(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { ...formHeaders, 'content-length': String(bytes) },
    })
    const timer = setTimeout(() => {
      outgoing.destroy()
      resolve({})
    }, 1000)
    outgoing.on('error', () => {})
    outgoing.on('response', async (answer) => {
      clearTimeout(timer)
      const text = Buffer.concat(await answer.toArray()).toString()
      resolve({ status: answer.statusCode!, body: JSON.parse(text) })
      outgoing.destroy()
    })
    outgoing.flushHeaders()
  })
}
