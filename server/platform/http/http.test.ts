import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask as askAt } from '../../test/network/ask.ts'
import { startService } from '../../test/service.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../logging/log.ts'
import { createMetrics } from '../metrics.ts'
import { createHttp } from './http.ts'

let draining = false
let url: string
let http: Awaited<ReturnType<typeof createHttp>>
beforeAll(async () => {
  http = await createHttp({
    config: readConfig({ CAIRN_TRUSTED_PROXIES: '127.0.0.1' }, ''),
    log: createLog('silent'),
    metrics: createMetrics(),
    isDraining: () => draining,
  })
  http.get('/fault', async () => {
    throw new Error('select secret from passwords failed at /home/me/app.ts')
  })
  http.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return {}
  })
  http.get('/who', async (request) => ({ ip: request.ip }))
  http.delete('/thing', async () => ({ done: true }))
  url = await http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => http.close())

const ask = (path: string, init?: RequestInit) => askAt(url + path, init)

test('an empty body with a JSON content type counts as none', async () => {
  expect(await ask('/thing', { method: 'DELETE', headers: { 'content-type': 'application/json' } })).toMatchObject({
    status: 200,
  })
})

test('every response has its own request ID', async () => {
  const ids = await Promise.all(
    ['/who', '/nowhere', '/fault'].map(async (path) => (await ask(path)).headers.get('x-request-id')),
  )
  expect(new Set(ids).size).toBe(3)
  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id!))).toBe(true)
})

test('any origin may send requests, without cookies, and preflights are cached', async () => {
  const response = await fetch(`${url}/who`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://game.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-app-api-key',
    },
  })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  expect(response.headers.get('access-control-allow-headers')).toBe('x-app-api-key')
  expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0)
})

test('a preflight with a body, which no browser sends, closes its connection', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write('OPTIONS /who HTTP/1.1\r\nhost: cairn\r\norigin: https://game.example\r\n')
  socket.write('access-control-request-method: POST\r\ncontent-length: 1000\r\n\r\nabc')
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 204 .*connection: close/is)
})

test('a body that its sender interrupts is not logged as a fault of the service', async () => {
  const lines: string[] = []
  const other = await createHttp({
    config: readConfig({}, ''),
    log: createLog('info', { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
    isDraining: () => false,
  })
  other.post('/json', async () => ({}))
  const refused = new Promise<number>((resolve) => {
    other.addHook('onSend', async (_request, reply) => resolve(reply.statusCode))
  })
  const address = await other.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const begun = once(other.server, 'request')
  socket.write('POST /json HTTP/1.1\r\nhost: cairn\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{')
  await begun
  socket.destroy()
  expect(await refused).toBe(400)
  expect(lines.join('')).not.toContain('"level":"error"')
  await other.close()
})

test("a trusted proxy's X-Forwarded-For names the client", async () => {
  expect(await ask('/who', { headers: { 'x-forwarded-for': '203.0.113.7' } })).toMatchObject({
    body: { ip: '203.0.113.7' },
  })
})

test('while draining, every response closes its connection', async () => {
  const underWay = ask('/slow')
  draining = true
  expect((await underWay).headers.get('connection')).toBe('close')
  expect((await ask('/who')).headers.get('connection')).toBe('close')
  draining = false
})

test('an unused preconnection does not delay closing', async () => {
  const other = await startService()
  const { hostname, port } = new URL(other.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  await other.stop()
  await closed
})
