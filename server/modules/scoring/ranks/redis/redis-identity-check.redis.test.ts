import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../../platform/logging/log.ts'
import { startRedis } from '../../../../test/programs/redis/redis-server.ts'
import { steadyPort } from '../../../../test/programs/steady-port.ts'
import { type Service, startSecondService, startService } from '../../../../test/service.ts'

type TestRedis = Awaited<ReturnType<typeof startRedis>>

let redis: TestRedis
let service: Service
const started: { stop: () => Promise<void> }[] = []
beforeEach(async () => {
  redis = await startRedis()
  service = await startService({ CAIRN_REDIS_URL: redis.url })
})
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.stop()
  await service.stop()
  await redis.stop()
})

const willStop = <T extends { stop: () => Promise<void> }>(one: T): T => {
  started.push(one)
  return one
}
const another = async (url: string) => willStop(await startSecondService(service, { CAIRN_REDIS_URL: url }))

/** Why a process with this Redis does not start. After all processes stall for five seconds, the first one is considered dead and this one starts: then retry. */
async function refusal(url: string): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const started = await startSecondService(service, { CAIRN_REDIS_URL: url }).catch((error: Error) => error.message)
    if (typeof started === 'string') return started
    await started.stop()
  }
  return 'it started each time'
}

test('a second process with another Redis, or another database number, does not start and says what to set', async () => {
  const other = willStop(await startRedis())
  expect(await refusal(other.url)).toContain(
    'CAIRN_REDIS_URL points to another Redis than that of a running process of this database',
  )
  expect(await refusal(`${redis.url}/1`)).toContain('another Redis')
  await another(redis.url)
})

test('accepts a Redis that was emptied or replaced by an empty one', async () => {
  const client = new Redis(redis.url)
  await client.flushall()
  client.disconnect()
  const second = await another(redis.url)
  const { port } = redis
  await redis.stop()
  redis = await startRedis({ port })
  const third = await another(redis.url)
  for (const one of [service, second, third])
    await expect.poll(async () => (await one.anonymous.get('/readyz')).status).toBe(200)
})

test('starts while Redis is unavailable, and logs another Redis once it is reachable', async () => {
  const port = await steadyPort()
  const lines: string[] = []
  const log = createLog('error', { write: (line: string) => void lines.push(line) })
  const settings = { CAIRN_REDIS_URL: `redis://127.0.0.1:${port}` }
  const database = { url: service.databaseUrl, drop: async () => {} }
  willStop(await startService({ ...service.storage, ...settings }, undefined, log, database))
  expect(lines).toEqual([])
  willStop(await startRedis({ port }))
  await expect.poll(() => lines.join('')).toContain('points to another Redis')
})
