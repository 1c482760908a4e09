import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createLog } from '../../logging/log.ts'
import { createMetrics } from '../../metrics.ts'
import { createHttp } from '../http.ts'
import { compressResponses } from './compression.ts'

/** Resolves when the headers of the last response have arrived. */
let answered = Promise.withResolvers<void>()
/** Resolves when the responses of /held may end. */
const held = Promise.withResolvers<void>()
/** An input that a compressor refuses. */
const NO_BYTES = { no: 'bytes' }

let http: Awaited<ReturnType<typeof createHttp>>
let url: string
beforeAll(async () => {
  http = await createHttp({
    config: readConfig({ CAIRN_DATA_DIR: '/nowhere' }, ''),
    log: createLog('silent'),
    metrics: createMetrics(),
    isDraining: () => false,
  })
  compressResponses(http)
  const answers = (path: string, stream: () => Readable) =>
    http.get(path, async (_request, reply) =>
      reply.headers({ 'content-type': 'application/json', etag: '"strong"' }).send(stream()),
    )
  const failing = () =>
    new Readable({
      read() {
        this.destroy(new Error('nothing to read'))
      },
    })
  answers('/no-source', failing)
  answers('/no-bytes', () => Readable.from([NO_BYTES]))
  answers('/in-the-middle', () =>
    Readable.from(
      (async function* () {
        for (let i = 0; i < 32; i++) yield randomBytes(65_536)
        await answered.promise
        yield NO_BYTES
      })(),
    ),
  )
  answers('/held', () =>
    Readable.from(
      (async function* () {
        for (let i = 0; i < 32; i++) yield randomBytes(65_536)
        await held.promise
      })(),
    ),
  )
  url = await http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => http.close())

async function ask(path: string) {
  answered = Promise.withResolvers<void>()
  const asked = request(url + path, { headers: { 'accept-encoding': 'br, gzip' }, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answered.resolve()
  const text = await answer.toArray().then(
    (pieces) => Buffer.concat(pieces).toString(),
    (error: Error) => error,
  )
  return { status: answer.statusCode, headers: answer.headers, text }
}

test.each([
  ['its source fails', '/no-source'],
  ['its compression fails', '/no-bytes'],
])('a response that fails before its first byte is 500 in plain JSON if %s', async (_why, path) => {
  const { status, headers, text } = await ask(path)
  expect(status).toBe(500)
  expect(JSON.parse(String(text))).toEqual({ error: expect.stringContaining('Internal error') })
  expect([headers['content-encoding'], headers.etag]).toEqual([undefined, undefined])
  expect(headers['content-length']).toBe(String(Buffer.byteLength(String(text))))
})

test('a response whose compression fails in the middle is broken off, so that no client takes it as complete', async () => {
  const { status, headers, text } = await ask('/in-the-middle')
  expect([status, headers['content-encoding'], headers['content-length']]).toEqual([200, 'br', undefined])
  expect(text).toBeInstanceOf(Error)
})

test('sixteen responses are compressed at a time, and the next one is sent as it is, without delay', async () => {
  const begin = async () => {
    const asked = request(`${url}/held`, { headers: { 'accept-encoding': 'br' }, agent: false }).end()
    return ((await once(asked, 'response')) as [IncomingMessage])[0]
  }
  const answers: IncomingMessage[] = []
  for (let i = 0; i < 17; i++) answers.push(await begin())
  held.resolve()
  for (const answer of answers) await answer.resume().toArray()
  const encodings = answers.map(({ headers }) => headers['content-encoding'])
  expect(encodings).toEqual([...Array(16).fill('br'), undefined])
  expect(answers[16]!.headers.vary).toBe('accept-encoding')
  expect((await ask('/in-the-middle')).headers['content-encoding']).toBe('br')
})

test('failed compressors are released: later responses are compressed', async () => {
  for (let i = 0; i < 20; i++) await ask('/no-bytes')
  expect((await ask('/in-the-middle')).headers['content-encoding']).toBe('br')
})
