// @module-tag long
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf } from '../../../test/multipart.ts'
import { type Service, startService } from '../../../test/service.ts'

/** More than the system's buffers for a reader. */
const SIZE = 40_000_000

let service: Service
let path: string
beforeAll(async () => {
  service = await startService({ CAIRN_SLOW_BODY_SECONDS: '1' })
  const sent = await service.anonymous.post('/api/upload', formOf({ name: 'a.bin', bytes: Buffer.alloc(SIZE, 7) }))
  path = new URL((sent.body as { results: [{ url: string }] }).results[0].url).pathname
})
afterAll(() => service.stop())

type Reader = { socket: Socket; received: () => number; closed: Promise<unknown> }

/** A connection that requested the file and does not read. */
async function reader(): Promise<Reader> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: cairn\r\nconnection: close\r\n\r\n`)
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.pause()
  return { socket, received: () => received, closed }
}

const connections = () => promisify(service.app.http.server.getConnections).call(service.app.http.server)

test('disconnects a reader that stops, and keeps serving others', async () => {
  const idle = await Promise.all(Array.from({ length: 50 }, reader))
  await expect.poll(connections).toBeGreaterThanOrEqual(50)
  expect((await service.anonymous.get('/api/v1/apps/public')).status).toBe(200)
  await expect.poll(connections).toBeLessThanOrEqual(2)
  for (const { socket, received, closed } of idle) {
    socket.resume()
    await closed
    expect(received()).toBeLessThan(SIZE)
  }
})

test('serves a slow but steady reader completely', async () => {
  const { socket, received, closed } = await reader()
  for (let i = 0; i < 40; i++) {
    socket.resume()
    await sleep(1)
    socket.pause()
    await sleep(150)
  }
  socket.resume()
  await closed
  expect(received()).toBeGreaterThan(SIZE)
})
