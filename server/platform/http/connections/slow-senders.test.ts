// @module-tag long
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formHeaders, formOf, rawForm } from '../../../test/multipart.ts'
import { type Service, startService } from '../../../test/service.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../logging/log.ts'
import { createMetrics } from '../../metrics.ts'
import { createHttp } from '../http.ts'
import { abortSlowClients } from './slow-clients.ts'

let service: Service
let slowHeaders: Sender
beforeAll(async () => {
  service = await startService({ CAIRN_SLOW_BODY_SECONDS: '1' })
  // Headers have a longer limit: the last test checks these.
  slowHeaders = await sender('POST /api/v1/apps HTTP/1.1\r\nhost: cairn\r\n')
})
afterAll(() => service.stop())

type Sender = { socket: Socket; answer: () => string; closed: Promise<unknown> }

/** A connection that has sent this much. */
async function sender(text: string | Uint8Array, url = service.url): Promise<Sender> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(text)
  return { socket, answer: () => answer, closed }
}

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: cairn\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
const json = (path = '/auth/exchange') => `${head(path, 'application/json', 1000)}{"token":`
const form = rawForm([{ name: 'a.bin', bytes: Buffer.alloc(3_000_000, 7) }])
const formHead = head('/api/upload', formHeaders['content-type'], form.length)
const partials = () => readdir(join(service.folder, 'objects', 'partial')).catch(() => [])

const cut = /^HTTP\/1\.1 408 Request Timeout\r\n.*connection: close.*\{"error":"The body arrived too slowly/s

describe('a sender that stops in its body', () => {
  test.each([
    ['a JSON body', () => json()],
    ['a body for an operation that does not exist', () => json('/nowhere')],
    ['a form', () => Buffer.concat([Buffer.from(formHead), form.subarray(0, 100_000)])],
    [
      'a body in chunks',
      () =>
        json()
          .replace(/content-length: \d+/, 'transfer-encoding: chunked')
          .replace('{', '9\r\n{'),
    ],
  ])('%s: 408, and the connection is closed', async (_, text) => {
    const { closed, answer } = await sender(text())
    await closed
    expect(answer()).toMatch(cut)
    await expect.poll(partials).toEqual([])
  })

  test('is disconnected even if it sends a byte now and then', async () => {
    const { socket, closed, answer } = await sender(json())
    const trickle = setInterval(() => socket.write(' '), 50)
    await closed
    clearInterval(trickle)
    expect(answer()).toMatch(cut)
  })
})

test('is read to the end if slow but steady', async () => {
  const { socket, answer } = await sender(formHead)
  const small = form.subarray(0, 40 * 8192)
  const rest = form.subarray(small.length)
  for (let at = 0; at < small.length; at += 8192) {
    socket.write(small.subarray(at, at + 8192))
    await sleep(75)
  }
  socket.write(rest)
  await expect.poll(answer).toMatch(/^HTTP\/1\.1 200 .*"status":"success"/s)
  socket.destroy()
})

test('is not disconnected while the service does not read', async () => {
  const http = await createHttp({
    config: readConfig({}, ''),
    log: createLog('silent'),
    metrics: createMetrics(),
    isDraining: () => false,
  })
  abortSlowClients(http, { seconds: 1, metrics: createMetrics() })
  http.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  http.post('/busy', async (request) => {
    await sleep(3000)
    let size = 0
    for await (const chunk of request.body as AsyncIterable<Buffer>) size += chunk.length
    return { size }
  })
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const length = 20_000_000
  const { socket, answer } = await sender(head('/busy', 'application/octet-stream', length), url)
  socket.write(Buffer.alloc(length))
  await expect.poll(answer).toContain(`{"size":${length}}`)
  socket.destroy()
  await http.close()
})

test('an internal request (a sign-in uses one for its token) neither ends a connection nor prevents the check', async () => {
  const payload = new URLSearchParams({ grant_type: 'authorization_code', code: 'none' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { statusCode } = await service.app.http.inject({ method: 'POST', url: '/oidc/token', headers, payload })
  expect(statusCode).toBe(400)
  const { closed, answer } = await sender(json())
  await closed
  expect(answer()).toMatch(cut)
})

test('200 slow connections are closed while others are served', async () => {
  const starts = [json(), Buffer.concat([Buffer.from(formHead), form.subarray(0, 5000)]), 'GET / HTTP/1.1\r\nhost: ca']
  const slow = await Promise.all(Array.from({ length: 200 }, (_, at) => sender(starts[at % starts.length]!)))
  for (let i = 0; i < 20; i++) {
    const [read, sent] = await Promise.all([
      service.anonymous.get('/api/v1/apps/public'),
      service.anonymous.post('/api/upload', formOf({ name: 'a.txt', bytes: 'hello' })),
    ])
    expect([read.status, sent.status]).toEqual([200, 200])
  }
  await Promise.all(slow.filter((_, at) => at % starts.length !== 2).map(({ closed }) => closed))
  for (const { socket } of slow) socket.destroy()
})

test('unfinished headers are 408, and the connection is closed', async () => {
  await slowHeaders.closed
  expect(slowHeaders.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})
