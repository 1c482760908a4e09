import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { formHeaders, formOf, rawForm } from '../../../test/multipart.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let database: pg.Client
let before: Awaited<ReturnType<typeof kept>>
beforeAll(async () => {
  service = await startService({ CAIRN_SLOW_BODY_SECONDS: '1' })
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  before = await kept()
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

/** The stored files: rows, objects and partial writes. */
async function kept() {
  const { rows } = await database.query<{ n: number }>('select count(*)::int as n from files')
  const entries = await readdir(join(service.folder, 'objects'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const partial = files.filter(({ parentPath }) => parentPath.endsWith('partial'))
  return { rows: rows[0]!.n, objects: files.length - partial.length, partial: partial.length }
}

/** Checks after each test that the service accepts a form, and has a row and an object for each accepted file and nothing else. */
afterEach(async () => {
  const good = await service.anonymous.post('/api/upload', formOf({ name: 'good.txt', bytes: 'good' }))
  expect(good).toMatchObject({ status: 200, body: { status: 'success' } })
  // A file of a truncated form may exist for a moment, until the truncation is detected.
  const left = async () => {
    const now = await kept()
    return [now.partial, now.rows - before.rows - (now.objects - before.objects)]
  }
  await expect.poll(left).toEqual([0, 0])
})

const TYPE = formHeaders['content-type']
const BOUNDARY = TYPE.slice(TYPE.indexOf('=') + 1)

/** Sends a form on a new connection. @returns the status; 0 if the connection ended without a response. */
function send(
  body: Uint8Array | string,
  { type = TYPE, length = Buffer.byteLength(body as string), path = '/api/upload', end = true, resetAfter = -1 } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)))
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: cairn\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
    )
    socket.write(resetAfter >= 0 ? Buffer.from(body as string).subarray(0, resetAfter) : body)
    if (resetAfter >= 0) setTimeout(() => socket.resetAndDestroy(), 20)
    else if (!end) setTimeout(() => socket.destroy(), 50)
  })
}

const refused = expect.toSatisfy((status: number) => status >= 400 && status < 500, 'a 4xx')

/** Parts with these headers and a byte each. */
const partsWith = (headers: string[], ending = `--${BOUNDARY}--\r\n`) =>
  headers.map((lines) => `--${BOUNDARY}\r\n${lines}\r\n\r\nx\r\n`).join('') + ending
const fileHeader = (field = 'file', name = 'a.txt') =>
  `Content-Disposition: form-data; name="${field}"; filename="${name}"`

describe('a truncated form', () => {
  const form = rawForm([
    { field: 'note', bytes: 'hello' },
    { name: 'a.txt', bytes: 'some bytes of a file' },
  ])
  const wholeFrom = form.length - 2

  test.each(['/api/upload', '/api/upload/convert'])('at any byte is 4xx at %s', { tags: ['long'] }, async (path) => {
    for (let at = 0; at < wholeFrom; at += 10) {
      const cuts = Array.from({ length: Math.min(10, wholeFrom - at) }, (_, i) => at + i)
      const statuses = await Promise.all(cuts.map((length) => send(form.subarray(0, length), { path })))
      for (const [i, status] of statuses.entries())
        expect({ at: at + i, status }).toEqual({ at: at + i, status: refused })
    }
  })

  test('at any byte on a closed connection leaves nothing behind', async () => {
    const cuts = Array.from({ length: 40 }, (_, i) => Math.floor((i * wholeFrom) / 40))
    await Promise.all(cuts.map((length) => send(form.subarray(0, length), { length: form.length, end: false })))
    await Promise.all(cuts.map((length) => send(form, { resetAfter: length })))
  })

  test('in the middle of concurrent large files leaves nothing behind', { tags: ['long'] }, async () => {
    const large = rawForm([{ name: 'a.bin', bytes: Buffer.alloc(8_000_000, 7) }])
    const cuts = Array.from({ length: 12 }, (_, i) => Math.floor((i * large.length) / 12))
    await Promise.all(cuts.map((length) => send(large, { resetAfter: length })))
    await sleep(100)
  })

  test('with a wrong length leaves nothing behind', { tags: ['long'] }, async () => {
    expect(await send(form, { length: form.length - 30 })).toEqual(refused)
    expect(await send(form, { length: form.length + 30 })).toEqual(expect.toBeOneOf([200, 408]))
    expect(await send(form.subarray(0, 60), { length: form.length })).toBe(408)
  })
})

describe('a boundary', () => {
  const form = rawForm([{ name: 'a.txt', bytes: 'hello' }])

  test.each([
    ['that is missing', 'multipart/form-data'],
    ['that is empty', 'multipart/form-data; boundary='],
    ['that is empty in quotes', 'multipart/form-data; boundary=""'],
    ['that is not in the body', 'multipart/form-data; boundary=another'],
    ['of 4,000 characters', `multipart/form-data; boundary=${'b'.repeat(4000)}`],
    ['with a quote that does not end', `multipart/form-data; boundary="${BOUNDARY}`],
    ['of a nested form', `multipart/mixed; boundary=${BOUNDARY}`],
    ['with a second one beside it', `multipart/form-data; boundary=x; boundary=${BOUNDARY}`],
  ])('%s is 4xx, or the form is read', async (_, type) => {
    expect(await send(form, { type })).toEqual(
      expect.toSatisfy((status: number) => status === 200 || (status >= 400 && status < 500)),
    )
  })

  test('without the line ends that it requires', async () => {
    for (const body of [
      '',
      '\r\n',
      `--${BOUNDARY}`,
      `--${BOUNDARY}--`,
      `--${BOUNDARY}--\r\n`,
      `--${BOUNDARY}\r\n\r\n`,
      form.slice(2),
      'x'.repeat(100_000),
    ])
      expect(await send(body)).toEqual(refused)
  })
})

describe('forms with many or unusual parts', () => {
  test.each<[string, string, unknown]>([
    ['10,000 empty files', partsWith(Array(10_000).fill(fileHeader())), 413],
    ['10,000 fields', partsWith(Array(10_000).fill('Content-Disposition: form-data; name="a"')), 413],
    ['10,000 parts without headers', partsWith(Array(10_000).fill('X: y')), refused],
    ['a header of 1 MB', partsWith([`${fileHeader()}\r\nX-Long: ${'x'.repeat(1_000_000)}`]), expect.any(Number)],
    ['10,000 headers', partsWith([`${'X-Many: y\r\n'.repeat(10_000)}${fileHeader()}`]), expect.any(Number)],
    ['a header that never ends', `--${BOUNDARY}\r\nContent-Disposition: ${'x'.repeat(2_000_000)}`, refused],
    ['a name of 100,000 characters', partsWith([fileHeader('file', 'n'.repeat(100_000))]), expect.any(Number)],
    [
      'a nested form',
      partsWith([`Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=in`]),
      refused,
    ],
    [
      'a field with invalid JSON',
      partsWith(['Content-Disposition: form-data; name="a"\r\nContent-Type: application/json', fileHeader()]),
      refused,
    ],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name): [string, string, unknown] => [
      `a part called ${name}`,
      partsWith([fileHeader(name), `Content-Disposition: form-data; name="${name}"`]),
      refused,
    ]),
    ['a name with invalid bytes', partsWith([fileHeader('file', '\u0000\ufffe%00%ff\\"..//')]), expect.any(Number)],
    [
      'headers in unusual encodings',
      partsWith([`${fileHeader()}\r\nContent-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset=nonsense`]),
      expect.any(Number),
    ],
  ])('%s: never 5xx, and no partial file', async (_, body, expected) => {
    const status = await send(body)
    expect(status).toEqual(expected)
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
  })
})

test('a client that disconnects after sending everything may repeat with the same Idempotency-Key', async () => {
  const form = rawForm([{ name: 'left.txt', bytes: 'left' }])
  const keys = Array.from({ length: 20 }, () => crypto.randomUUID())
  for (const key of keys) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const head = `POST /api/upload HTTP/1.1\r\nhost: cairn\r\nidempotency-key: ${key}\r\ncontent-type: ${TYPE}\r\n`
    socket.write(Buffer.concat([Buffer.from(`${head}content-length: ${form.length}\r\n\r\n`), form]), () =>
      socket.destroy(),
    )
  }
  for (const key of keys) {
    const again = async () =>
      (await service.request('POST', '/api/upload', form, { 'content-type': TYPE, 'idempotency-key': key })).status
    await expect.poll(again).toBe(200)
  }
})
