import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { openEventStream } from '../../../test/network/event-stream.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  for (let i = 0; i < 20; i++)
    await user.post('/api/zones', { title: `Zone ${i}`, description: 'in the park '.repeat(9) })
})
afterAll(() => service.stop())

/** The bytes on the wire. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  const asked = request(path.startsWith('http') ? path : service.url + path, { method, headers, agent: false })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await answer.toArray())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

const whole = '/ogc/api'
const streamed = '/api/zones'

describe('a response of more than 1 KiB', () => {
  test.each([whole, streamed])('is compressed on request, with the same content: %s', async (path) => {
    const plain = await ask(path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, encoding, open] of [
      ['gzip', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ] as const) {
      const { status, headers, bytes } = await ask(path, { 'accept-encoding': accepted })
      expect([accepted, status, headers['content-encoding']]).toEqual([accepted, 200, encoding])
      expect(open(bytes)).toEqual(plain.bytes)
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
      if (path === whole) expect(headers['content-length']).toBe(String(bytes.length))
    }
  })

  test('is uncompressed otherwise, and has Vary', async () => {
    for (const accepted of ['identity', 'br;q=0, gzip;q=0', 'zstd', 'nonsense;;', undefined]) {
      const { headers } = await ask(streamed, accepted === undefined ? {} : { 'accept-encoding': accepted })
      expect([accepted, headers['content-encoding'], headers.vary]).toEqual([accepted, undefined, 'accept-encoding'])
    }
    expect((await ask(streamed, { 'accept-encoding': 'gzip' })).headers.vary).toBe('accept-encoding')
  })

  test('has the same headers for HEAD', async () => {
    const { headers, bytes } = await ask(whole, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([headers['content-encoding'], bytes.length]).toEqual([undefined, 0])
  })
})

describe('not compressed', () => {
  const accepting = { 'accept-encoding': 'br, gzip' }

  test('small responses', async () => {
    const { headers } = await ask('/api/zones?limit=1', accepting)
    expect((await ask('/healthz', accepting)).headers['content-encoding']).toBeUndefined()
    expect(headers['content-type']).toContain('json')
  })

  test('files, whole and in part', async () => {
    const bytes = Buffer.from(JSON.stringify({ asset: { version: '2.0' }, extras: 'x'.repeat(5000) }))
    const sent = await user.post('/api/upload', formOf({ name: 'model.gltf', type: 'model/gltf+json', bytes }))
    const [{ url }] = sent.body.results
    const all = await ask(url, accepting)
    expect([all.status, all.headers['content-encoding'], all.bytes.equals(bytes)]).toEqual([200, undefined, true])
    expect(all.headers.etag).toMatch(/^"/)
    const part = await ask(url, { ...accepting, range: 'bytes=10-19' })
    expect([part.status, part.headers['content-encoding'], part.bytes]).toEqual([
      206,
      undefined,
      bytes.subarray(10, 20),
    ])
    const again = await ask(url, { ...accepting, 'if-none-match': all.headers.etag! })
    expect(again.status).toBe(304)
  })

  test('responses that contain a secret', async () => {
    const owner = await buildersOn(service).user()
    for (let i = 0; i < 6; i++) await buildersOn(service).app({ owner })
    const { headers, bytes } = await ask('/api/v1/apps', { ...owner.headers, ...accepting })
    expect(String(bytes)).toContain('"apiKey":"cairn_')
    expect(bytes.length).toBeGreaterThan(1024)
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('event streams', async () => {
    const app = await buildersOn(service).app()
    const players = await Promise.all(Array.from({ length: 30 }, () => buildersOn(service).player(app)))
    const session = (await app.post('/api/v1/apps/game-sessions', {})).body
    for (const { id: playerId } of players)
      await app.post(`/api/v1/apps/game-sessions/${session.id}/players`, { playerId })
    await app.post(`/api/v1/apps/game-sessions/${session.id}/scores`, {
      scores: players.map(({ id: playerId }, i) => ({ playerId, score: i + 1 })),
    })
    const stream = await openEventStream(`${service.url}/api/v1/apps/leaderboards/stream`, {
      ...app.headers,
      ...accepting,
    })
    expect([stream.status, stream.headers['content-encoding']]).toEqual([200, undefined])
    expect((await stream.next()).event).toBe('board')
    stream.close()
  })
})

test('a stored response of an Idempotency-Key is the same for every repeat, in any encoding', async () => {
  const headers = { ...user.headers, 'content-type': 'application/json', 'idempotency-key': 'once' }
  const body = JSON.stringify({ title: 'Kept', description: 'long '.repeat(390) })
  const first = await ask('/api/zones', { ...headers, 'accept-encoding': 'gzip' }, 'POST', body)
  expect([first.status, first.headers['content-encoding']]).toEqual([201, 'gzip'])
  const second = await ask('/api/zones', headers, 'POST', body)
  expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect(second.bytes).toEqual(gunzipSync(first.bytes))
})

test('/openapi.json is served from memory, compressed, and as 304 if unchanged', { tags: ['long'] }, async () => {
  const plain = await ask('/openapi.json')
  const { headers, bytes } = await ask('/openapi.json', { 'accept-encoding': 'br' })
  expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'accept-encoding'])
  expect(brotliDecompressSync(bytes)).toEqual(plain.bytes)
  expect(JSON.parse(String(plain.bytes)).openapi).toBe('3.1.0')
  expect(headers.etag).toBe(plain.headers.etag)
  const again = await ask('/openapi.json', { 'if-none-match': headers.etag!, 'accept-encoding': 'br' })
  expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag])
})
