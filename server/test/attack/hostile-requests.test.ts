import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { formOf } from '../multipart.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'

/** Raw bytes that no client sends: requests that a proxy and the service could parse differently, and malicious paths. */

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService({ CAIRN_METRICS_TOKEN: 'a token of the tests' })
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

/** Everything received until the service closes the connection, for at most ten seconds. */
function answerTo(bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  let received = ''
  socket.setTimeout(10_000, () => socket.destroy())
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => resolve(received))
  socket.write(bytes, 'latin1')
  return promise
}

const statusesOf = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const linesOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const host = 'Host: cairn.example'
const json = 'Content-Type: application/json'

let count = 0
/** A complete request that creates a zone: hidden in the body of another, it must not be executed. */
function hidden() {
  const title = `smuggled ${++count}`
  const body = JSON.stringify({ title })
  const authorization = `Authorization: ${user.headers.authorization}`
  const head = linesOf(
    'POST /api/zones HTTP/1.1',
    host,
    authorization,
    json,
    `Content-Length: ${body.length}`,
    'Connection: close',
  )
  return { title, request: head + body }
}
const zonesNamed = async (title: string) =>
  (await sqlOn(service)('select 1 from zones where title = $1', [title])).length

test('the hidden request is valid when sent alone', async () => {
  const { title, request } = hidden()
  expect(statusesOf(await answerTo(request))).toEqual([201])
  expect(await zonesNamed(title)).toBe(1)
})

describe('a request whose end is ambiguous is refused, and nothing after it is read', () => {
  const post = 'POST /api/nothing HTTP/1.1'
  const chunked = 'Transfer-Encoding: chunked'
  const cases: [what: string, head: string[], body?: string][] = [
    ['a length and chunks', ['Content-Length: 5', chunked], '0\r\n\r\n'],
    ['chunks and a length', [chunked, 'Content-Length: 5'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 50']],
    ['two lengths in one', ['Content-Length: 0, 50']],
    ['the same length twice', ['Content-Length: 0', 'Content-Length: 0']],
    ['a length with a sign', ['Content-Length: +0']],
    ['a negative length', ['Content-Length: -1']],
    ['a length in hexadecimal', ['Content-Length: 0x0']],
    ['a length without end', [`Content-Length: ${'9'.repeat(40)}`]],
    ['a space before the colon', ['Content-Length : 0']],
    ['chunks by another name', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['chunks that are something else at last', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['chunks behind a vertical tab', ['Transfer-Encoding: \x0bchunked'], '0\r\n\r\n'],
    ['chunks twice', [chunked, 'Transfer-Encoding: x'], '0\r\n\r\n'],
    [
      'a header continued in the next line',
      ['X-A: b', ' Content-Length: 50', 'Content-Length: 0', chunked],
      '0\r\n\r\n',
    ],
    ['a line that ends in CR alone', ['X-A: b\rContent-Length: 50', 'Content-Length: 0']],
    ['NUL in a header', ['X-A: b\0c', 'Content-Length: 0']],
    ['NUL in the name of a header', ['X\0A: b', 'Content-Length: 0']],
    ['a header without a colon', ['Content-Length 0']],
    ['a chunk whose size is no number', [chunked], 'zz\r\n\r\n'],
    ['a chunk whose size has a sign', [chunked], '-0\r\n\r\n'],
    ['a chunk whose size overflows', [chunked], 'fffffffffffffffff\r\n\r\n'],
    ['a chunk that is longer than it says', [chunked], '1\r\nabc\r\n0\r\n\r\n'],
    ['a trailer that ends in CR alone', [chunked], '0\r\nX-A: b\rX: c\r\n\r\n'],
  ]
  test.each(cases)('%s', async (_what, head, body = '') => {
    const { title, request } = hidden()
    const received = await answerTo(linesOf(post, host, json, ...head) + body + request)
    expect(statusesOf(received)).toEqual([400])
    expect(received).toMatch(/\{"error":"[^"]+"\}$/)
    expect(await zonesNamed(title)).toBe(0)
  })
})

describe('invalid HTTP gets one response, and the service continues', () => {
  const close = 'Connection: close'
  const cases: [what: string, request: string, status: number[]][] = [
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', [400]],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['HTTP/2 from the start', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['an unknown version', linesOf('GET /healthz HTTP/9.9', host), [400]],
    // Node itself responds, without a body.
    ['no host', linesOf('GET /healthz HTTP/1.1'), [400]],
    ['an unknown method', linesOf('GETT /healthz HTTP/1.1', host, close), [400]],
    ['a method in small letters', linesOf('get /healthz HTTP/1.1', host, close), [400]],
    ['a space in the address', linesOf('GET /health z HTTP/1.1', host, close), [400]],
    ['a tunnel', linesOf('CONNECT 127.0.0.1:5432 HTTP/1.1', 'Host: 127.0.0.1:5432'), []],
    ['headers of 20 KB', linesOf('GET /healthz HTTP/1.1', host, `X-A: ${'a'.repeat(20_000)}`), [431]],
    ['3,000 headers', linesOf('GET /healthz HTTP/1.1', host, ...Array(3000).fill('a: b')), [431]],
    ['an address of 20 KB', linesOf(`GET /${'a'.repeat(20_000)} HTTP/1.1`, host), [431]],
    ['an unknown expectation', linesOf('POST /auth/exchange HTTP/1.1', host, 'Expect: wonders', close), [417]],
    ['TRACE', linesOf('TRACE /healthz HTTP/1.1', host, 'Cookie: a=secret', close), [405]],
  ]
  test.each(cases)('%s', async (_what, request, status) => {
    const received = await answerTo(request)
    expect(statusesOf(received)).toEqual(status)
    expect(received).not.toContain('secret')
    expect((await service.anonymous.get('/healthz')).status).toBe(200)
  })

  test('a header cannot be injected into a response with any line end', async () => {
    for (const end of ['\r\n', '%0d%0a', '%0D%0A%20', '%E5%98%8A%E5%98%8D', '\\r\\n']) {
      const path = `/nowhere?x=${end === '\r\n' ? '' : end}x-injected:%20yes`
      const requests = [
        linesOf(`GET ${path} HTTP/1.1`, host, close),
        linesOf('GET /nowhere HTTP/1.1', host, `Origin: https://a.example${end}X-Injected: yes`, close),
        linesOf(`GET /api/download?url=a${end === '\r\n' ? '' : end}x-injected:yes HTTP/1.1`, host, close),
      ]
      for (const request of requests) {
        const [head] = (await answerTo(request)).split('\r\n\r\n')
        expect(head!.toLowerCase()).not.toMatch(/^x-injected:/m)
      }
    }
  })
})

describe('malicious paths', () => {
  const astray = [
    '/files/../../../../etc/passwd',
    '/files/%2e%2e/%2e%2e/secret',
    '/files/..%2f..%2fsecret',
    '/files/%2e%2e%2f%2e%2e%2fsecret',
    '/files/%252e%252e%252fsecret',
    '/files/..%5c..%5csecret',
    '/files/%c0%ae%c0%ae/secret',
    '/files/ab/..%00.png',
    '/files//etc/passwd',
    '/files/file:%2f%2f%2fetc%2fpasswd',
    '/docs/../../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/js/..%2f..%2f..%2fpackage.json',
    '/oidc/../../secret',
    '/.env',
    '/.git/config',
    '/secret',
    '/data/secret',
    '/%00',
    '/..;/metrics',
    '/api/zones/..%2fat',
    '/api/v1/apps/public%2f..%2f',
  ]
  test.each(astray)('%s: 4xx, and no file of the machine', async (path) => {
    const received = await answerTo(linesOf(`GET ${path} HTTP/1.1`, host, 'Connection: close'))
    expect(statusesOf(received)[0]).toBeGreaterThanOrEqual(400)
    expect(statusesOf(received)[0]).toBeLessThan(500)
    expect(received).not.toMatch(/root:|"workspaces"|[0-9a-f]{64}/)
  })

  test.each(['//evil.example/', '/\\evil.example/', '/%2f%2fevil.example/', '/docs//evil.example/..', '/docs', '/'])(
    '%s does not redirect to another host',
    async (path) => {
      const received = await answerTo(linesOf(`GET ${path} HTTP/1.1`, host, 'Connection: close'))
      const [, location = '/'] = /^location: (.*)\r$/im.exec(received) ?? []
      expect(location).toMatch(/^\.?\/(?![/\\])/)
    },
  )

  test.each([
    '/metrics',
    '/%6detrics',
    '/metrics/',
    '//metrics',
    '/metrics%2f',
    '/METRICS',
    '/metrics;a',
    '/x/../metrics',
  ])('%s shows no metrics without the token, whatever source it declares', async (path) => {
    const claims = [
      'X-Forwarded-For: 127.0.0.1',
      'X-Real-IP: 127.0.0.1',
      'X-Original-URL: /metrics',
      'Forwarded: for=127.0.0.1',
    ]
    const received = await answerTo(linesOf(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...claims, 'Connection: close'))
    expect(statusesOf(received)[0]).toBeGreaterThanOrEqual(400)
    expect(received).not.toContain('# HELP')
  })

  test('no URL in a response has the host that a request claims', { tags: ['long'] }, async () => {
    const evil = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example;proto=gopher',
    }
    const asked: [method: string, path: string, body?: unknown][] = [
      ['GET', '/'],
      ['GET', '/docs'],
      ['GET', '/openapi.json'],
      ['GET', '/ogc'],
      ['GET', '/ogc/collections'],
      ['GET', '/oidc/.well-known/openid-configuration'],
      ['GET', '/api/zones?limit=1'],
      ['POST', '/api/upload', formOf({ name: 'a.txt', bytes: 'hello' })],
      ['POST', '/api/upload/presigned', { fileName: 'a.txt', contentType: 'text/plain' }],
    ]
    await user.post('/api/zones', { title: 'One' })
    await user.post('/api/zones', { title: 'Another' })
    for (const [method, path, body] of asked) {
      const answer = await service.request(method, path, body, { ...user.headers, ...evil })
      expect({ path, status: answer.status }).not.toMatchObject({ status: 500 })
      expect(JSON.stringify([answer.body, ...answer.headers])).not.toMatch(/evil\.example|gopher/)
    }
  })
})
