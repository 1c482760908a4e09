import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { freePort } from '../../test/free-port.ts'
import { startRedis } from '../../test/redis-server.ts'
import { type Service, startAnother, startService } from '../../test/service.ts'

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
const another = async (url: string) => willStop(await startAnother(service, { CAIRN_REDIS_URL: url }))

test('a second process that is set to another Redis does not start, and says what to set; nor with another number', async () => {
  const other = willStop(await startRedis())
  await expect(startAnother(service, { CAIRN_REDIS_URL: other.url })).rejects.toThrow(
    'CAIRN_REDIS_URL leads to another Redis than that of a Cairn that serves this database already',
  )
  await expect(startAnother(service, { CAIRN_REDIS_URL: `${redis.url}/1` })).rejects.toThrow('another Redis')
  await another(redis.url)
})

test('a Redis that was emptied, or that an empty one took the place of, is the same', async () => {
  const client = new Redis(redis.url)
  await client.flushall()
  client.disconnect()
  const second = await another(redis.url)
  const { port } = redis
  await redis.stop()
  redis = await startRedis({ port })
  const third = await another(redis.url)
  for (const one of [service, second, third]) expect((await one.anonymous.get('/readyz')).status).toBe(200)
})

test('where Redis cannot be asked a process starts; that it is another one is in the log once it can', async () => {
  const port = await freePort()
  const lines: string[] = []
  const log = createLog('error', { write: (line: string) => void lines.push(line) })
  const settings = { CAIRN_REDIS_URL: `redis://127.0.0.1:${port}` }
  const database = { url: service.databaseUrl, drop: async () => {} }
  willStop(await startService({ ...service.storage, ...settings }, undefined, log, database))
  expect(lines).toEqual([])
  willStop(await startRedis({ port }))
  await expect.poll(() => lines.join(''), { timeout: 60_000 }).toContain('leads to another Redis')
})
