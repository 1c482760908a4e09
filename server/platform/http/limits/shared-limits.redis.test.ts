import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { startRedisCluster } from '../../../test/programs/redis/redis-cluster.ts'
import { startRedis } from '../../../test/programs/redis/redis-server.ts'
import { steadyPort } from '../../../test/programs/steady-port.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Service, startService } from '../../../test/service.ts'
import { createLog } from '../../logging/log.ts'

const LIMITS = {
  CAIRN_TRUSTED_PROXIES: 'loopback',
  CAIRN_LIMIT_KEY_PER_MINUTE: '10',
  CAIRN_LIMIT_USER_PER_MINUTE: '1000',
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: '8',
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: '4',
  CAIRN_LIMIT_UPLOADS_PER_HOUR: '6',
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '5000',
}

/** Longer than a process counts alone after a slow Redis. */
const ALONE_MS = 1200

/** The log of the first process. */
const told: string[] = []
let redis: Awaited<ReturnType<typeof startRedis>>
let one: Service
let other: Awaited<ReturnType<typeof startSecondService>>
beforeAll(async () => {
  redis = await startRedis()
  one = await startService(
    { ...LIMITS, CAIRN_REDIS_URL: redis.url },
    undefined,
    createLog('info', { write: told.push.bind(told) }),
  )
  other = await startSecondService(one, { ...LIMITS, CAIRN_REDIS_URL: redis.url })
})
afterAll(async () => {
  await other?.stop()
  await one?.stop()
  await redis?.stop()
})

let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`
const anonymous = (address: string) => [
  one.as({ 'x-forwarded-for': address }),
  other.as({ 'x-forwarded-for': address }),
]

/** Sends concurrent requests through both in turn. @returns the number of each status */
async function through<T>(callers: T[], count: number, send: (caller: T) => Promise<{ status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => send(callers[i % 2]!)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** A Redis slower than 50 ms counts as unavailable: exact counts are checked only when it was fast. */
async function whileShared<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt++) {
    await isShared(true)
    const before = await countedAlone()
    const result = await work()
    if ((await countedAlone()) === before) return result
  }
  throw new Error('Redis never responded in time')
}

const metrics = async () =>
  (await Promise.all([one.anonymous, other.as({})].map(async (at) => String((await at.get('/metrics')).body)))).join(
    '\n',
  )
const sumOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name} (\\d+)`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0)
const countedAlone = async () => sumOf(await metrics(), 'cairn_limits_local_total')

/** Waits until both processes count in Redis, or neither. */
async function isShared(wished: boolean) {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (sumOf(await metrics(), 'cairn_limits_shared') === (wished ? 2 : 0)) return
    // Only a request detects that Redis is back.
    await Promise.all(anonymous(newAddress()).map((caller) => caller.get('/api/v1/apps/public')))
    await sleep(50)
  }
  throw new Error(`limits are ${wished ? 'not ' : ''}counted in Redis`)
}

describe('two processes share limits in Redis', () => {
  test('an address has exactly its requests a minute through both', async () => {
    const counts = await whileShared(() =>
      through(anonymous(newAddress()), 30, (caller) => caller.get('/api/v1/apps/public')),
    )
    expect(counts).toEqual({ 200: 8, 429: 22 })
  })

  test('an app key has one quota, and each response has what is left for both', async () => {
    const seen = await whileShared(async () => {
      const { key } = await buildersOn(one).app()
      const headers = { 'x-app-api-key': key }
      const first = await one.as(headers).get('/api/v1/apps/players')
      const second = await other.as(headers).get('/api/v1/apps/players')
      const rest = await through([one.as(headers), other.as(headers)], 20, (caller) =>
        caller.get('/api/v1/apps/players'),
      )
      return { left: [first, second].map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't')), rest }
    })
    expect(seen).toEqual({ left: ['"key";r=9;t', '"key";r=8;t'], rest: { 200: 8, 429: 12 } })
  })

  test('failed exchanges are counted together, and successful ones are uncounted', async () => {
    const counts = await whileShared(() =>
      through(anonymous(newAddress()), 7, (caller) => caller.post('/auth/exchange', { token: 'hello' })),
    )
    expect(counts).toEqual({ 401: 4, 429: 3 })
  })

  test('hourly uploads and their bytes are counted together; refused bytes are uncounted', async () => {
    const send = (bytes: number) => (caller: { post: (path: string, body: unknown) => Promise<{ status: number }> }) =>
      caller.post('/api/upload', formOf({ name: 'a.txt', bytes: 'x'.repeat(bytes) }))
    expect(await whileShared(() => through(anonymous(newAddress()), 8, send(1)))).toEqual({ 200: 6, 429: 2 })
    const statuses = await whileShared(async () => {
      const [here, there] = anonymous(newAddress())
      const seen: number[] = []
      for (const [caller, bytes] of [
        [here, 3000],
        [there, 3000],
        [there, 1000],
        [here, 1000],
      ] as const)
        seen.push((await send(bytes)(caller!)).status)
      return seen
    })
    expect(statuses).toEqual([200, 429, 200, 429])
  })
})

test('a process that starts while Redis is unavailable serves, and counts alone', async () => {
  const url = `redis://127.0.0.1:${await steadyPort()}`
  const third = await startSecondService(one, { ...LIMITS, CAIRN_REDIS_URL: url })
  const caller = third.as({ 'x-forwarded-for': newAddress() })
  expect(await through([caller, caller], 6, (at) => at.get('/api/v1/apps/public'))).toEqual({ 200: 4, 429: 2 })
  await third.stop()
})

test('two processes count together on a cluster, whichever node a caller is on', async () => {
  const cluster = await startRedisCluster()
  const settings = { ...LIMITS, CAIRN_REDIS_URL: cluster.url }
  // On separate databases: processes of one database share one Redis.
  const third = await startService(settings)
  const fourth = await startSecondService(third, settings)
  const alone = async () => {
    const texts = await Promise.all([third, fourth].map(async (at) => String((await at.as({}).get('/metrics')).body)))
    return sumOf(texts.join('\n'), 'cairn_limits_local_total')
  }
  try {
    let exact = 0
    for (let attempt = 0; attempt < 60 && exact < 6; attempt++) {
      const [address, before] = [newAddress(), await alone()]
      const callers = [third, fourth].map((at) => at.as({ 'x-forwarded-for': address }))
      const counts = await through(callers, 20, (caller) => caller.get('/api/v1/apps/public'))
      // Some may be counted locally: a slow node, or a process that just connected.
      if ((await alone()) !== before) {
        await sleep(ALONE_MS)
        continue
      }
      expect(counts).toEqual({ 200: 8, 429: 12 })
      exact++
    }
    expect(exact).toBe(6)
  } finally {
    await third.stop()
    await fourth.stop()
    await cluster.stop()
  }
})

describe('a killed Redis', () => {
  test('each process counts alone at half the quota; requests continue, and one warning is logged', async () => {
    await isShared(true)
    const { port } = redis
    const before = told.length
    await redis.stop()
    await isShared(false)
    const [here, there] = anonymous(newAddress())
    const get = (caller: typeof here) => caller!.get('/api/v1/apps/public')
    expect(await through([here, here], 10, get)).toEqual({ 200: 4, 429: 6 })
    expect(await through([there, there], 10, get)).toEqual({ 200: 4, 429: 6 })
    const refused = await here!.get('/api/v1/apps/public')
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=4;w=60')
    expect(refused.body.error).toMatch(/^More than 4 requests per minute/)
    const isTold = (line: string) => /"level":"warn".*each process counts limits alone/.test(line)
    // A slow Redis may have been logged before: at most once a minute.
    expect(told.slice(before).filter(isTold).length).toBeLessThanOrEqual(1)
    expect(told.filter(isTold)).not.toEqual([])

    redis = await startRedis({ port })
    await isShared(true)
    const counts = await whileShared(() =>
      through(anonymous(newAddress()), 20, (caller) => caller.get('/api/v1/apps/public')),
    )
    expect(counts).toEqual({ 200: 8, 429: 12 })
  })

  test('a Redis that accepts connections and never responds does not delay requests for long', async () => {
    await isShared(true)
    redis.child.kill('SIGSTOP')
    try {
      const callers = anonymous(newAddress())
      expect(await through(callers, 8, (caller) => caller.get('/api/v1/apps/public'))).toEqual({ 200: 8 })
      expect(sumOf(await metrics(), 'cairn_limits_shared')).toBe(0)
    } finally {
      redis.child.kill('SIGCONT')
    }
    await isShared(true)
  })
})
