import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../../test/builders.ts'
import { startRedisCluster } from '../../../../test/programs/redis/redis-cluster.ts'
import { loadedBoards } from '../../../../test/programs/redis/redis-ranks.ts'
import { startRedis } from '../../../../test/programs/redis/redis-server.ts'
import { boardsOf, type Crowd, crowd, ranksInSql, ranksOf, writeThrough } from '../../../../test/scoring/rank-crowd.ts'
import { expectCountedSegments } from '../../../../test/scoring/segment-model.ts'
import { expectCountedMeanwhile } from '../../../../test/scoring/unmade/unmade-model.ts'
import { type Service, startSecondService, startService } from '../../../../test/service.ts'

/** Checks that all ranks match counting; retries until they come from Redis. */
async function expectRanks(some: Crowd, services: Service[], redisUrl: string) {
  const truth = await ranksInSql(services[0]!, some.app.id)
  const callers = services.map((service) => service.as(some.app.headers))
  for (const caller of callers) expect(await ranksOf(caller, some.players)).toEqual(truth)
  await expect
    .poll(
      async () => {
        for (const caller of callers) expect(await ranksOf(caller, some.players)).toEqual(truth)
        return loadedBoards(redisUrl, some.app.id)
      },
      { interval: 200 },
    )
    .toBeGreaterThanOrEqual(boardsOf(truth))
  for (const caller of callers) expect(await ranksOf(caller, some.players)).toEqual(truth)
}

describe('two processes with ranks in one Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let one: Service
  let other: Service
  let some: Crowd
  beforeAll(async () => {
    redis = await startRedis()
    one = await startService({ CAIRN_REDIS_URL: redis.url })
    other = await startSecondService(one, { CAIRN_REDIS_URL: redis.url })
    some = await crowd(buildersOn(one))
  })
  afterAll(async () => {
    await other?.stop()
    await one?.stop()
    await redis?.stop()
  })
  const both = () => [one, other].map((service) => service.as(some.app.headers))

  test('both return the counted ranks after concurrent writes to both', async () => {
    for (let round = 0; round < 3; round++) {
      await writeThrough(some, both())
      await expectRanks(some, [one, other], redis.url)
    }
  })

  test('both return the counted ranks in segments after concurrent writes to both', () =>
    expectCountedSegments(one, other))

  test('both return the counted entries of boards that are being made', () =>
    expectCountedMeanwhile({ sortOrder: 'desc', scoreMode: 'best', ties: 'first' }, one, other))

  test('continue when all data of Redis is deleted, and reload it', async () => {
    const client = new Redis(redis.url)
    await writeThrough(some, both(), async () => {
      for (let n = 0; n < 3; n++) {
        await sleep(100)
        await client.flushall()
      }
    })
    client.disconnect()
    await expectRanks(some, [one, other], redis.url)
  })

  test('continue when Redis is killed and restarts empty', async () => {
    const { port } = redis
    await writeThrough(some, both(), async () => {
      await sleep(50)
      await redis.stop()
      await sleep(300)
      expect(await ranksOf(one.as(some.app.headers), some.players.slice(0, 1))).toBeInstanceOf(Map)
      redis = await startRedis({ port })
    })
    await expectRanks(some, [one, other], redis.url)
  })

  test('count writes during a long outage of Redis', async () => {
    const { port } = redis
    await redis.stop()
    await writeThrough(some, both())
    const truth = await ranksInSql(one, some.app.id)
    for (const caller of both()) expect(await ranksOf(caller, some.players)).toEqual(truth)
    redis = await startRedis({ port })
    await expectRanks(some, [one, other], redis.url)
  })
})

test('do not trust a Redis that restarts with saved data', async () => {
  const { mkdtemp, rm } = await import('node:fs/promises')
  const folder = await mkdtemp('/tmp/cairn-redis-saved-')
  const settings = ['--dir', folder, '--save', '3600 1000000']
  let redis = await startRedis({ settings })
  const one = await startService({ CAIRN_REDIS_URL: redis.url })
  const other = await startSecondService(one, { CAIRN_REDIS_URL: redis.url })
  try {
    const some = await crowd(buildersOn(one), 4)
    const callers = [one, other].map((service) => service.as(some.app.headers))
    await writeThrough(some, callers)
    await expectRanks(some, [one, other], redis.url)
    const client = new Redis(redis.url)
    await client.save()
    client.disconnect()
    await writeThrough(some, callers)
    const { port } = redis
    await redis.stop()
    redis = await startRedis({ port, settings })
    const truth = await ranksInSql(one, some.app.id)
    for (const caller of callers) expect(await ranksOf(caller, some.players)).toEqual(truth)
    await expectRanks(some, [one, other], redis.url)
  } finally {
    await other.stop()
    await one.stop()
    await redis.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

test('keep boards in a cluster of three nodes as in a single one', async () => {
  const cluster = await startRedisCluster()
  const one = await startService({ CAIRN_REDIS_URL: cluster.url })
  const other = await startSecondService(one, { CAIRN_REDIS_URL: cluster.url })
  try {
    const some = await crowd(buildersOn(one), 4)
    await writeThrough(
      some,
      [one, other].map((service) => service.as(some.app.headers)),
    )
    const truth = await ranksInSql(one, some.app.id)
    const count = async () => {
      for (const service of [one, other])
        expect(await ranksOf(service.as(some.app.headers), some.players)).toEqual(truth)
      const counts = await Promise.all(cluster.nodes.map(({ url }) => loadedBoards(url, some.app.id)))
      return counts.reduce((sum, loaded) => sum + loaded, 0)
    }
    await expect.poll(count, { interval: 200 }).toBeGreaterThanOrEqual(boardsOf(truth))
    await writeThrough(
      some,
      [one, other].map((service) => service.as(some.app.headers)),
    )
    const now = await ranksInSql(one, some.app.id)
    for (const service of [one, other]) expect(await ranksOf(service.as(some.app.headers), some.players)).toEqual(now)
  } finally {
    await other.stop()
    await one.stop()
    await cluster.stop()
  }
})

test('start while a cluster is incomplete, and use it as soon as it is complete', async () => {
  const cluster = await startRedisCluster({ nodeTimeoutMs: 1000 })
  const [first, second, frozen] = cluster.nodes
  let service: Service | undefined
  try {
    frozen!.child.kill('SIGSTOP')
    await cluster.untilSaid('fail', [first!, second!])
    service = await startService({ CAIRN_REDIS_URL: cluster.url })
    const some = await crowd(buildersOn(service), 4)
    const caller = service.as(some.app.headers)
    await writeThrough(some, [caller])
    const truth = await ranksInSql(service, some.app.id)
    expect(await ranksOf(caller, some.players)).toEqual(truth)
    frozen!.child.kill('SIGCONT')
    await cluster.untilSaid('ok')
    const count = async () => {
      expect(await ranksOf(caller, some.players)).toEqual(truth)
      const counts = await Promise.all(cluster.nodes.map(({ url }) => loadedBoards(url, some.app.id)))
      return counts.reduce((sum, loaded) => sum + loaded, 0)
    }
    await expect.poll(count, { interval: 200 }).toBeGreaterThanOrEqual(boardsOf(truth))
  } finally {
    await service?.stop()
    await cluster.stop()
  }
})
