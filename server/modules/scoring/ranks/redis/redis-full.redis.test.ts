import { Redis } from 'ioredis'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../../../platform/logging/log.ts'
import { buildersOn } from '../../../../test/builders.ts'
import { loadedBoards } from '../../../../test/programs/redis/redis-ranks.ts'
import { startRedis } from '../../../../test/programs/redis/redis-server.ts'
import { crowd, ranksInSql, ranksOf } from '../../../../test/scoring/rank-crowd.ts'
import { type Service, startService } from '../../../../test/service.ts'

let server: Awaited<ReturnType<typeof startRedis>>
let service: Service
const lines: string[] = []
async function start(settings: string[]) {
  lines.length = 0
  server = await startRedis({ settings })
  const log = createLog('error', { write: (line: string) => void lines.push(line) })
  service = await startService({ CAIRN_REDIS_URL: server.url }, undefined, log)
}
afterEach(async () => {
  await service.stop()
  await server.stop()
})

type Crowd = Awaited<ReturnType<typeof crowd>>
const expectRanks = async ({ app, players }: Crowd) =>
  expect(await ranksOf(app, players)).toEqual(await ranksInSql(service, app.id))
async function change(some: Crowd) {
  for (let n = 0; n < 20; n++) expect((await some.change(some.app)).toString()).toMatch(/^2|^404$|^400$/)
}

test.each(['allkeys-lru', 'allkeys-random'])(
  'a Redis that may evict any key (%s) is not used for ranks: SQL counts them, and the log says what to set',
  async (policy) => {
    await start(['--maxmemory', '100mb', '--maxmemory-policy', policy])
    const some = await crowd(buildersOn(service), 5)
    await change(some)
    await expectRanks(some)
    // A request starts the load, which detects it.
    const said = async () => {
      await ranksOf(some.app, some.players)
      return lines.join('')
    }
    await expect.poll(said).toContain(`(maxmemory-policy ${policy}): set noeviction or volatile-lru`)
    await expectRanks(some)
    expect(await loadedBoards(server.url, some.app.id)).toBe(0)
  },
)

test('while Redis is full, writes continue with correct ranks; afterwards ranks come from Redis again', async () => {
  await start(['--maxmemory-policy', 'noeviction'])
  const some = await crowd(buildersOn(service), 5)
  await change(some)
  const loaded = () => ranksOf(some.app, some.players).then(() => loadedBoards(server.url, some.app.id))
  await expect.poll(loaded).toBeGreaterThan(0)
  const client = new Redis(server.url)
  try {
    await client.config('SET', 'maxmemory', '1')
    await expect(client.set('any', 'more')).rejects.toThrow('OOM')
    await change(some)
    await expectRanks(some)
    await client.config('SET', 'maxmemory', '0')
    await change(some)
    await expectRanks(some)
    await expect.poll(loaded).toBeGreaterThan(0)
    await expectRanks(some)
  } finally {
    client.disconnect()
  }
})
