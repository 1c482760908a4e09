import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'
import { manyGcps } from '../../../test/surveying/many-gcps.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    CAIRN_TRUSTED_PROXIES: 'loopback',
    CAIRN_LIMIT_KEY_PER_MINUTE: '45',
    CAIRN_LIMIT_USER_PER_MINUTE: '44',
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: '43',
  })
})
afterAll(() => service.stop())

let addresses = 0
/** A caller at an unused address. */
const from = (headers: Record<string, string> = {}) =>
  service.as({ 'x-forwarded-for': `198.51.100.${++addresses}`, ...headers })

const PUBLIC_READS = [
  '/ogc',
  '/ogc/collections',
  '/ogc/collections/gcps/items',
  '/api/zones',
  '/api/gcp',
  '/api/location/pins?lat=0&lon=0&radius=1',
  '/api/v1/apps/public',
]
const policies = (headers: Headers) => headers.get('ratelimit-policy')
const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])

describe('a public read', () => {
  test('counts against the app of its key, and not against the address', async () => {
    const { key } = await buildersOn(service).app()
    const app = from({ 'x-app-api-key': key })
    for (const [n, path] of PUBLIC_READS.entries()) {
      const { status, headers } = await app.get(path)
      expect([path, status, policies(headers), left(headers)]).toEqual([path, 200, '"key";q=45;w=60', 44 - n])
    }
    const { headers } = await service.as({ 'x-forwarded-for': `198.51.100.${addresses}` }).get('/ogc')
    expect(left(headers)).toBe(42)
  })

  test('counts against the user of its session', async () => {
    const { headers: session } = await buildersOn(service).user()
    const before = left((await from(session).get('/ogc')).headers)
    for (const [n, path] of PUBLIC_READS.entries()) {
      const { status, headers } = await from(session).get(path)
      expect([path, status, policies(headers), left(headers)]).toEqual([path, 200, '"user";q=44;w=60', before - 1 - n])
    }
  })

  test('with a key and a session counts against both', async () => {
    const given = buildersOn(service)
    const [{ key }, { headers: session }] = [await given.app(), await given.user()]
    const { headers } = await from({ ...session, 'x-app-api-key': key }).get('/ogc')
    expect(policies(headers)).toBe('"key";q=45;w=60, "user";q=44;w=60')
  })

  test("is limited by the user's quota from any address", async () => {
    const { headers: session } = await buildersOn(service).user()
    const seen = []
    for (let i = 0; i < 46; i++) seen.push((await from(session).get('/ogc')).status)
    expect(seen.indexOf(429)).toBeLessThanOrEqual(44)
    expect(seen.at(-1)).toBe(429)
    expect((await from().get('/ogc')).status).toBe(200)
  })

  test('with an invalid credential is answered and counts against the address: invented ones give no additional quota', async () => {
    const wrong = [
      { 'x-app-api-key': 'cairn_wrong' },
      { 'x-app-api-key': '' },
      { authorization: 'Bearer nothing' },
      { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
      { authorization: 'Basic dXNlcjpwYXNz' },
      { authorization: '' },
    ]
    const caller = from()
    const of = (headers: object) => service.as({ ...caller.headers, ...headers } as Record<string, string>)
    for (const [n, headers] of wrong.entries()) {
      const answer = await of(headers).get('/ogc/collections')
      expect([headers, answer.status]).toEqual([headers, 200])
      expect(policies(answer.headers)).toBe('"address";q=43;w=60')
      expect(left(answer.headers)).toBe(42 - n)
    }
    const seen = []
    for (let i = 0; i < 43; i++) seen.push((await of({ authorization: `Bearer ${i}` }).get('/ogc')).status)
    expect(seen.filter((status) => status === 200)).toHaveLength(43 - wrong.length)
    expect(seen.at(-1)).toBe(429)
  })

  test('with a signed-out session counts against the address', async () => {
    const user = await buildersOn(service).user()
    expect((await user.post('/auth/sign-out')).status).toBeLessThan(300)
    const { status, headers } = await from(user.headers).get('/ogc')
    expect([status, policies(headers)]).toEqual([200, '"address";q=43;w=60'])
  })
})

describe('a page of features', () => {
  const costOf = async (query: string) => {
    const caller = from()
    const before = left((await caller.get('/ogc')).headers)
    const { status, headers } = await caller.get(`/ogc/collections/pins/items${query}`)
    return { status, cost: before - left(headers) }
  }

  test('counts as one request for each 1,000 features of its limit', async () => {
    for (const [query, cost] of [
      ['', 1],
      ['?limit=1', 1],
      ['?limit=1000', 1],
      ['?limit=1001', 2],
      ['?limit=10000', 10],
      ['?limit=999999999999999', 10],
    ])
      expect([query, await costOf(query as string)]).toEqual([query, { status: 200, cost }])
  })

  test('refused for its limit counts as one', async () => {
    for (const query of ['?limit=-5000', '?limit=x', '?limit=', '?limit=5000&limit=5000'])
      expect([query, await costOf(query)]).toEqual([query, { status: 400, cost: 1 }])
  })
})

describe('a list', () => {
  test('counts as one request for each 1,000 returned rows, which can exceed its quota', {
    tags: ['long'],
  }, async () => {
    await manyGcps(service, 5500)
    const caller = from()
    const next = async () => left((await caller.get('/ogc')).headers)
    expect(await next()).toBe(42)
    for (const [query, rows, leftThen] of [
      ['?limit=1', 1, 40],
      ['?limit=1000', 1000, 38],
      ['?limit=1001', 1001, 35],
      ['', 5500, 28],
    ] as const) {
      const { status, body } = await caller.get(`/api/gcp${query}`)
      expect([query, status, body.length]).toEqual([query, 200, rows])
      expect([query, await next()]).toEqual([query, leftThen])
    }
    const seen = []
    for (let i = 0; i < 6; i++) seen.push((await caller.get('/api/gcp')).status)
    expect(seen).toEqual([200, 200, 200, 200, 200, 429])
  })
})
