import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask as askAt } from '../../../test/network/ask.ts'
import { readConfig } from '../../config.ts'
import { HttpError } from '../../errors.ts'
import { createLog } from '../../logging/log.ts'
import { createMetrics } from '../../metrics.ts'
import { pathId, pathInteger, queryNumber } from '../../schema.ts'
import { createHttp } from '../http.ts'

let url: string
let http: Awaited<ReturnType<typeof createHttp>>
beforeAll(async () => {
  http = await createHttp({
    config: readConfig({}, ''),
    log: createLog('silent'),
    metrics: createMetrics(),
    isDraining: () => false,
  })
  http.get('/fault', async () => {
    throw new Error('select secret from passwords failed at /home/me/app.ts')
  })
  http.get('/away', async () => {
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
  })
  http.get('/full', async () => {
    throw Object.assign(new Error('write failed'), { code: 'ENOSPC' })
  })
  http.get('/refused', async () => {
    throw new HttpError(409, 'Another request was faster')
  })
  http.post(
    '/scores',
    { schema: { body: z.object({ scores: z.array(z.object({ score: z.number() })) }) } },
    async () => ({}),
  )
  http.post(
    '/names',
    { schema: { body: z.object({ people: z.array(z.object({ name: z.string().min(1).max(100) })) }) } },
    async () => ({}),
  )
  http.post('/anything', { schema: { body: z.looseObject({}) } }, async () => ({}))
  http.post('/members', async (request) => Object.getOwnPropertyNames(request.body))
  http.post('/unread', async () => ({}))
  http.post('/large', { bodyLimit: 1024 * 1024 }, async () => ({}))
  http.get('/named', { schema: { querystring: z.object({ name: z.string() }) } }, async () => ({}))
  http.get('/things/:id', { schema: { params: z.object({ id: pathId('Thing') }) } }, async () => ({}))
  http.get('/files/:id', { schema: { params: z.object({ id: pathInteger }) } }, async () => ({}))
  http.get('/near', { schema: { querystring: z.object({ lat: queryNumber }) } }, async (request) => request.query)
  url = await http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => http.close())

const ask = (path: string, init?: RequestInit) => askAt(url + path, init)
const post = (path: string, body: string, type = 'application/json') =>
  ask(path, { method: 'POST', body, headers: { 'content-type': type } })

describe('error responses', () => {
  test('an internal error shows only the request ID', async () => {
    const { status, body, headers } = await ask('/fault')
    expect(status).toBe(500)
    expect(body).toEqual({
      error: `Internal error. Report the request ID ${headers.get('x-request-id')} to the operator`,
    })
  })

  test('an unavailable database is 503 with Retry-After, a full disk 507, an HttpError as it says', async () => {
    const away = await ask('/away')
    expect(away.status).toBe(503)
    expect(away.headers.get('retry-after')).toBe('2')
    expect(await ask('/full')).toMatchObject({ status: 507 })
    expect(await ask('/refused')).toMatchObject({ status: 409, body: { error: 'Another request was faster' } })
  })

  test('an invalid member is 400 with code, sentence and path; array indexes are numbers', async () => {
    expect(await post('/scores', '{"scores":[{"score":1},{"score":"2"}]}')).toMatchObject({
      status: 400,
      body: { error: [{ code: 'invalid_type', message: expect.any(String), path: ['scores', 1, 'score'] }] },
    })
  })

  test('an out-of-range value has code, message and path like every fault, and the bound in the message', async () => {
    const error = async (name: string) => (await post('/names', JSON.stringify({ people: [{ name }] }))).body
    const path = ['people', 0, 'name']
    expect(await error('')).toEqual({ error: [{ code: 'too_small', message: expect.stringContaining('1'), path }] })
    expect(await error('x'.repeat(101))).toEqual({
      error: [{ code: 'too_big', message: expect.stringContaining('100'), path }],
    })
  })

  test('a missing member is reported as required', async () => {
    const error = async (body: string) => (await post('/scores', body)).body
    const code = 'invalid_type'
    expect(await error('{}')).toEqual({ error: [{ code, message: 'is required', path: ['scores'] }] })
    expect(await error('{"scores":[{}]}')).toEqual({
      error: [{ code, message: 'is required', path: ['scores', 0, 'score'] }],
    })
    for (const body of ['', 'null'])
      expect(await error(body)).toEqual({
        error: [{ code, message: 'the body is missing: send a JSON object', path: [] }],
      })
    expect((await ask('/files/99999999999999999999')).body).toEqual({
      error: [{ code: 'custom', message: 'must be below 2^53, like every ID', path: ['id'] }],
    })
  })

  test('a body that is not UTF-8 is 400, one that declares another encoding 415', async () => {
    const send = (body: Uint8Array<ArrayBuffer> | string, type = 'application/json') =>
      ask('/names', { method: 'POST', body, headers: { 'content-type': type } })
    const bytes = Buffer.from('{"people":[{"name":"é"}]}', 'latin1')
    expect(await send(new Uint8Array(bytes))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('UTF-8') },
    })
    const utf16 = await send('{"people":[]}', 'application/json; charset=utf-16')
    expect(utf16).toMatchObject({ status: 415, body: { error: expect.stringContaining('utf-16') } })
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8'])
      expect((await send('{"people":[]}', `application/json; charset=${charset}`)).status).toBe(200)
  })

  test('numbers outside of JSON are refused', async () => {
    expect(await post('/scores', '{"scores":[{"score":1e999}]}')).toMatchObject({
      status: 400,
      body: { error: [{ path: ['scores', 0, 'score'] }] },
    })
    expect(await post('/scores', '{"scores":[{"score":NaN}]}')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('JSON') },
    })
  })

  test('no body, malformed JSON, another content type, too large, an unknown operation', async () => {
    expect(await post('/scores', '')).toMatchObject({ status: 400, body: { error: [{ path: [] }] } })
    expect(await post('/scores', '{"scores":')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('not valid JSON') },
    })
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/xml'])
      expect(await post('/scores', 'scores=1', type), type).toMatchObject({ status: 415 })
    expect(await ask('/nowhere?key=secret')).toMatchObject({
      status: 404,
      body: { error: 'There is no operation GET /nowhere' },
    })
  })

  test('a malformed record ID is an unknown record, a malformed integer ID is 400', async () => {
    expect(await ask('/things/7')).toMatchObject({ status: 404, body: { error: 'Thing not found' } })
    expect(await ask('/files/seven')).toMatchObject({ status: 400, body: { error: [{ path: ['id'] }] } })
    expect(await ask('/files/9007199254740992')).toMatchObject({ status: 400 })
  })

  test('text that cannot be stored unchanged is refused anywhere', async () => {
    for (const name of ['a\0', '\ud800', '\udc00x'])
      expect(await post('/names', JSON.stringify({ people: [{ name: 'fine' }, { name }] }))).toMatchObject({
        status: 400,
        body: { error: [{ code: 'custom', message: 'must be Unicode text without NUL', path: ['people', 1, 'name'] }] },
      })
    expect(await ask('/named?name=%00')).toMatchObject({ status: 400, body: { error: [{ path: ['name'] }] } })
    expect(await post('/names', JSON.stringify({ people: [{ name: '🗿 Ünïcode' }] }))).toMatchObject({ status: 200 })
  })

  test('a body above 32 KiB is refused with the limit, and so is one above the limit of its route', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ any: 'x'.repeat(bytes - '{"any":""}'.length) })
    for (const [path, most, told] of [
      ['/anything', 32 * 1024, '32 KiB'],
      ['/large', 1024 * 1024, '1 MiB'],
    ] as const) {
      expect(await post(path, bodyOf(most))).toMatchObject({ status: 200 })
      expect(await post(path, bodyOf(most + 1))).toMatchObject({
        status: 413,
        body: { error: `The body is larger than ${told}: send less per request` },
      })
    }
  })

  test('more than 50 levels are refused, also in unknown members and without a schema', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    for (const path of ['/anything', '/scores', '/unread', '/large']) {
      for (const levels of [50, 15_000, ...(path === '/large' ? [500_000] : [])]) {
        for (const text of [`{"scores":[],"any":${nested(levels)}}`, '['.repeat(levels + 1)])
          expect([path, levels, await post(path, text)]).toMatchObject([
            path,
            levels,
            { status: 400, body: { error: [{ code: 'custom', message: 'is nested more than 50 deep' }] } },
          ])
      }
      expect(await post(path, `{"scores":[],"any":${nested(49)}}`)).toMatchObject({ status: 200 })
      expect(await post(path, `{"scores":[],"any":"\\"${'['.repeat(100)}"}`)).toMatchObject({ status: 200 })
    }
  })

  test('input that is not a valid request gets an error of the same form, with an ID', async () => {
    const answers = [await ask('/things/%ff'), await ask(`/things/${'x'.repeat(2000)}`)]
    expect(answers.map(({ status }) => status)).toEqual([400, 404])
    for (const { body, headers } of answers) {
      expect(body).toEqual({ error: expect.any(String) })
      expect(headers.get('x-request-id')).toBeTruthy()
    }
    const raw = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
      socket.on('data', (data) => resolve(String(data)))
    })
    expect(raw).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id: [\s\S]*\{"error":"This is not a valid HTTP request"\}$/)
  })

  test('members that could reach a prototype are dropped like unknown ones', async () => {
    expect(
      await post('/scores', '{"scores":[],"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
    ).toMatchObject({ status: 200 })
    for (const name of ['__proto__', '\\u005f_proto__', '__prot\\u006F__', 'constructor', '\\u0063onstructor'])
      for (const text of [`{"kept":1,"${name}":{"prototype":{}}}`, `{"${name}" : {"prototype":1}, "kept":"\\""}`])
        expect([text, (await post('/members', text)).body]).toEqual([text, ['kept']])
    expect(await post('/members', '\ufeff{"kept":"constructor"}')).toMatchObject({ status: 200, body: ['kept'] })
  })

  test('numbers in queries are parsed strictly', async () => {
    for (const lat of ['12,5', '1e', '', 'NaN', 'Infinity', '0x10', ' 1', '1&lat=2'])
      expect(await ask(`/near?lat=${lat}`), lat).toMatchObject({ status: 400, body: { error: [{ path: ['lat'] }] } })
    expect(await ask('/near?lat=-12.5e1')).toMatchObject({ status: 200, body: { lat: -125 } })
  })
})
