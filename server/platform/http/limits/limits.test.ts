import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    CAIRN_TRUSTED_PROXIES: 'loopback',
    CAIRN_LIMIT_KEY_PER_MINUTE: '5',
    CAIRN_LIMIT_USER_PER_MINUTE: '4',
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: '3',
    CAIRN_LIMIT_EXCHANGES_PER_MINUTE: '2',
  })
})
afterAll(() => service.stop())

const from = (address: string, headers: Record<string, string> = {}) =>
  service.as({ 'x-forwarded-for': address, ...headers })

/** The statuses of sequential requests. */
async function statuses(count: number, request: () => Promise<{ status: number }>) {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await request()).status)
  return seen
}

describe('requests a minute', () => {
  test('an address without a credential has exactly its quota, and gets Retry-After', async () => {
    const caller = from('203.0.113.1')
    const first = await caller.get('/api/v1/apps/public')
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"address";r=2;t=(60|[1-5]?\d)$/)
    expect(await statuses(3, () => caller.get('/api/v1/apps/public'))).toEqual([200, 200, 429])
    const over = await caller.get('/api/v1/apps/public')
    expect(over).toMatchObject({ status: 429, body: { error: expect.stringMatching(/Retry in \d+ seconds$/) } })
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(over.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/)
    expect((await from('203.0.113.2').get('/api/v1/apps/public')).status).toBe(200)
  })

  test('an IPv6 /64, which belongs to one subscriber, is counted as one address', async () => {
    expect(
      await statuses(4, () =>
        from(`2001:db8:0:1::${Math.random().toString(16).slice(2, 6)}`).get('/api/v1/apps/public'),
      ),
    ).toEqual([200, 200, 200, 429])
    expect((await from('2001:db8:0:2::1').get('/api/v1/apps/public')).status).toBe(200)
  })

  test('a key has its own quota from any address, separate from other apps', async () => {
    const given = buildersOn(service)
    const owner = await given.user()
    const [one, other] = [await given.app({ owner }), await given.app({ owner })]
    let n = 10
    const players = (key: string) => from(`203.0.113.${n++}`, { 'x-app-api-key': key }).get('/api/v1/apps/players')
    expect(await statuses(6, () => players(one.key))).toEqual([200, 200, 200, 200, 200, 429])
    expect((await players(other.key)).status).toBe(200)
  })

  test('a user has one quota over all sessions', async () => {
    const user = await buildersOn(service).user()
    expect(await statuses(5, () => user.get('/api/v1/apps'))).toEqual([200, 200, 200, 200, 429])
  })

  test('refused credentials count against the address, so that keys cannot be guessed without limit', async () => {
    const guess = () => from('203.0.113.90', { 'x-app-api-key': 'cairn_wrong' }).get('/api/v1/apps/players')
    expect(await statuses(5, guess)).toEqual([401, 401, 401, 429, 429])
  })

  test('a request without its required credential counts too, for every operation', async () => {
    for (const [n, path] of ['/auth/sync', '/auth/codes', '/api/v1/apps'].entries())
      expect(await statuses(4, () => from(`203.0.113.${80 + n}`).post(path)), path).toEqual([401, 401, 401, 429])
  })

  test('an address over its quota does not block a valid key', async () => {
    const app = await buildersOn(service).app()
    const address = '203.0.113.91'
    expect(await statuses(4, () => from(address).get('/api/v1/apps/public'))).toEqual([200, 200, 200, 429])
    expect((await from(address, { 'x-app-api-key': app.key }).get('/api/v1/apps/players')).status).toBe(200)
  })

  test('failed identity exchanges have a separate quota per address', async () => {
    const exchange = () => from('203.0.113.92').post('/auth/exchange', { token: 'hello' })
    expect(await statuses(3, exchange)).toEqual([401, 401, 429])
  })

  test('requests of orchestrators are never limited', async () => {
    expect(new Set(await statuses(20, () => from('203.0.113.93').get('/readyz')))).toEqual(new Set([200]))
  })

  test('an address in a header counts only behind a trusted proxy', async () => {
    const plain = await startService({ CAIRN_LIMIT_ADDRESS_PER_MINUTE: '2' })
    let n = 0
    const claim = () => plain.as({ 'x-forwarded-for': `203.0.113.${n++}` }).get('/api/v1/apps/public')
    expect(await statuses(3, claim)).toEqual([200, 200, 429])
    await plain.stop()
  })
})
