import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unpackForPlainClients } from './packed-files.ts'

const LARGE = 'export const large = 1\n'.repeat(1000)
const SMALL = 'export const small = 1\n'

let app: FastifyInstance
let folder: string
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-files-'))
  await writeFile(join(folder, 'large.js.gz'), gzipSync(LARGE))
  await writeFile(join(folder, 'small.js'), SMALL)
  app = fastify()
  unpackForPlainClients(app)
  await app.register(fastifyStatic, { root: folder, preCompressed: true })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (path: string, accepted: string, { method = 'GET', headers = {} } = {}) => {
  const sent = { range: 'bytes=0-9', ...headers, 'accept-encoding': accepted }
  const answer = await fetch(url + path, { method, headers: sent })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test.each(['identity', 'deflate', 'gzip;q=0', ''])(
  'a client that accepts "%s" receives the whole file unpacked',
  async (accepted) => {
    const { status, headers, text } = await ask('/large.js', accepted)
    expect({ status, text }).toEqual({ status: 200, text: LARGE })
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('content-type')).toMatch(/javascript/)
    expect(await ask('/small.js', accepted)).toMatchObject({ status: 200, text: SMALL })
  },
)

test('a client that accepts gzip receives the file as it is stored', async () => {
  const { headers } = await ask('/large.js', 'gzip', { method: 'HEAD' })
  expect(headers.get('content-encoding')).toBe('gzip')
})

test('HEAD and 304 have no body, and a file that does not exist is 404', async () => {
  const head = await ask('/large.js', 'identity', { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers.get('content-length')).toBeNull()
  const etag = head.headers.get('etag')!
  expect(
    await ask('/large.js', 'identity', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } }),
  ).toMatchObject({ status: 304 })
  expect((await ask('/none.js', 'identity')).status).toBe(404)
})
