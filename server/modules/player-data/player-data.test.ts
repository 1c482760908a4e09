import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { appUrl, nextOf, unknownId } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let app: Caller & { id: string }
let other: Caller
beforeAll(async () => {
  service = await startService()
  const given = buildersOn(service)
  app = await given.app()
  other = await given.app()
})
afterAll(() => service.stop())

const newPlayer = async () => (await buildersOn(service).player(app)).id
const at = (player: string, key = '') => appUrl(`players/${player}/storage${key && `/${key}`}`)
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, path, body, { ...app.headers, ...headers })

describe('a value', () => {
  test('comes back as it was sent, in the order of its members; its first write is 201, a later one 200', async () => {
    const player = await newPlayer()
    const value = { z: 1, a: [null, true, { ü: '€ "quoted"' }], '': { deep: -0.5 } }
    const first = await app.put(at(player, 'save-1.slot'), value)
    expect(first).toMatchObject({ status: 201, body: { key: 'save-1.slot', etag: first.headers.get('etag') } })
    expect(first.body.size).toBe(Buffer.byteLength(JSON.stringify(value)))
    const read = await app.get(at(player, 'save-1.slot'))
    expect(JSON.stringify(read.body)).toBe(JSON.stringify(value))
    expect(read.headers.get('etag')).toBe(first.body.etag)
    expect(read.headers.get('cache-control')).toBe('private, no-cache')

    const second = await app.put(at(player, 'save-1.slot'), {})
    expect(second).toMatchObject({ status: 200, body: { size: 2, createdAt: first.body.createdAt } })
    expect(second.body.etag).not.toBe(first.body.etag)
    expect((await app.get(at(player, 'save-1.slot'))).body).toEqual({})
  })

  test('with a number that no double holds is refused, naming the member', async () => {
    const json = { 'content-type': 'application/json' }
    expect(await send('PUT', at(await newPlayer(), 'a'), '{"a":{"b":[1,1e400]}}', json)).toMatchObject({
      status: 400,
      body: { error: [{ message: expect.stringContaining('send it as a string'), path: ['a', 'b', 1] }] },
    })
  })

  test('is gone after its deletion, and then has another ETag than before', async () => {
    const player = await newPlayer()
    const { etag } = (await app.put(at(player, 'a'), { level: 1 })).body
    expect((await app.delete(at(player, 'a'))).status).toBe(204)
    expect(await app.get(at(player, 'a'))).toMatchObject({ status: 404, body: { error: 'Key not found' } })
    expect((await app.delete(at(player, 'a'))).status).toBe(404)
    expect((await app.put(at(player, 'a'), { level: 1 })).body.etag).not.toBe(etag)
  })

  test('has up to 64 KiB, as it is sent and as it is stored', async () => {
    const player = await newPlayer()
    const text = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    expect((await app.put(at(player, 'a'), text(65_536))).body.size).toBe(65_536)
    expect(await app.put(at(player, 'a'), text(65_537))).toMatchObject({
      status: 413,
      body: { error: expect.stringContaining('64 KiB') },
    })
    // Short when sent, long when written out.
    const numbers = `{"a":[${Array.from({ length: 8000 }, () => '1e20').join()}]}`
    expect(await send('PUT', at(player, 'a'), numbers, { 'content-type': 'application/json' })).toMatchObject({
      status: 413,
      body: { error: expect.stringContaining('as JSON') },
    })
  })

  test.each([[[1, 2]], ['text'], [7], [null], [undefined]])('is an object: %j is 400', async (value) => {
    const json = { 'content-type': 'application/json' }
    const body = value === undefined ? undefined : JSON.stringify(value)
    expect((await send('PUT', at(await newPlayer(), 'a'), body, json)).status).toBe(400)
  })
})

describe('a key', () => {
  test.each(['-a', '.a', 'a b', 'ä', 'a/b', 'x'.repeat(129)])('cannot be %s: 400', async (key) => {
    const path = at(await newPlayer(), encodeURIComponent(key))
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await send(method, path, method === 'PUT' ? {} : undefined)).status).toBe(400)
  })

  test('of a player of another app, or of none, is 404', async () => {
    const player = await newPlayer()
    await app.put(at(player, 'a'), { secret: true })
    for (const [caller, id] of [
      [other, player],
      [app, unknownId],
    ] as const) {
      for (const answer of [caller.get(at(id)), caller.get(at(id, 'a')), caller.put(at(id, 'a'), {})])
        expect(await answer).toMatchObject({ status: 404, body: { error: 'Player not found' } })
      expect((await caller.delete(at(id, 'a'))).status).toBe(404)
    }
    expect((await app.get(at(player, 'a'))).body).toEqual({ secret: true })
  })
})

test('the list has the keys of one player in order, page by page, with sizes and times, without values', async () => {
  const player = await newPlayer()
  await app.put(at(await newPlayer(), 'of-another'), {})
  const written: Record<string, unknown> = {}
  for (const key of ['b', 'B', 'a.1', 'a', '_', 'a-1']) written[key] = (await app.put(at(player, key), { key })).body
  const first = await app.get(`${at(player)}?limit=4`)
  expect(first.headers.get('x-total-count')).toBe('6')
  const second = await app.get(nextOf(first.headers)!)
  expect(nextOf(second.headers)).toBeUndefined()
  expect([...first.body.keys, ...second.body.keys]).toEqual(
    Object.keys(written)
      .sort()
      .map((key) => written[key]),
  )
  expect((await app.get(`${at(player)}?cursor=bm8`)).status).toBe(400)
})

describe('conditions', () => {
  const written = async (value = {}) => {
    const path = at(await newPlayer(), 'a')
    return { path, etag: (await app.put(path, value)).body.etag as string }
  }

  test('If-Match writes and deletes only the state it names; 412 says which is there', async () => {
    const { path, etag } = await written()
    const { etag: now } = (await send('PUT', path, { n: 1 }, { 'if-match': `"other", ${etag}` })).body
    for (const method of ['PUT', 'DELETE']) {
      const refused = await send(method, path, method === 'PUT' ? {} : undefined, { 'if-match': etag })
      expect(refused).toMatchObject({ status: 412, body: { error: expect.stringContaining(now) } })
      expect(refused.headers.get('etag')).toBe(now)
    }
    expect((await app.get(path)).body).toEqual({ n: 1 })
    expect((await send('DELETE', path, undefined, { 'if-match': now })).status).toBe(204)
    for (const tag of [now, '*']) expect((await send('PUT', path, {}, { 'if-match': tag })).status).toBe(412)
  })

  test('If-None-Match: * creates only', async () => {
    const path = at(await newPlayer(), 'a')
    expect((await send('PUT', path, { n: 1 }, { 'if-none-match': '*' })).status).toBe(201)
    expect((await send('PUT', path, { n: 2 }, { 'if-none-match': '*' })).status).toBe(412)
    expect((await app.get(path)).body).toEqual({ n: 1 })
  })

  test('a read of the state that the caller has is 304 without a body', async () => {
    const { path, etag } = await written()
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await send('GET', path, undefined, { 'if-none-match': tag })
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await send('GET', path, undefined, { 'if-none-match': '"x"' })).status).toBe(200)
  })

  test('the weak ETag of a compressed response is good for If-Match', async () => {
    const { path } = await written({ text: 'x'.repeat(5000) })
    const tag = (await send('GET', path, undefined, { 'accept-encoding': 'gzip' })).headers.get('etag')!
    expect(tag).toMatch(/^W\//)
    expect((await send('PUT', path, {}, { 'if-match': tag })).status).toBe(200)
  })

  test.each(['abc', '"a', '"x", *', '"a" "b"'])('that are malformed are 400: %s', async (tag) => {
    const { path } = await written()
    for (const name of ['if-match', 'if-none-match'])
      expect(await send('PUT', path, {}, { [name]: tag })).toMatchObject({
        status: 400,
        body: { error: [{ code: 'invalid_format' }] },
      })
  })
})

test('deleting a player deletes its values', async () => {
  const player = await newPlayer()
  await app.put(at(player, 'a'), { n: 1 })
  await app.delete(appUrl(`players/${player}`))
  expect((await app.get(at(player, 'a'))).status).toBe(404)
})
