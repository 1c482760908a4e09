import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildersOn } from '../../../../test/builders.ts'
import { newFolder, type ServiceProcess, startProcess } from '../../../../test/process.ts'
import { loadedBoards } from '../../../../test/programs/redis/redis-ranks.ts'
import { startRedis } from '../../../../test/programs/redis/redis-server.ts'
import { ranksInSql, ranksOf } from '../../../../test/scoring/rank-crowd.ts'
import { appUrl, makeSession, playSession } from '../../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../../test/service.ts'
import { sqlOn } from '../../../../test/sql.ts'

const secret = 'a secret of the tests, long enough'
let redis: Awaited<ReturnType<typeof startRedis>>
let service: Service
let child: ServiceProcess | undefined
beforeAll(async () => {
  redis = await startRedis()
  service = await startService({ CAIRN_REDIS_URL: redis.url })
})
afterAll(async () => {
  child?.child.kill('SIGKILL')
  await service?.stop()
  await redis?.stop()
})

test('a process killed between its commit and its publication leaves no wrong rank behind', async () => {
  const settings = {
    CAIRN_DATABASE_URL: service.databaseUrl,
    CAIRN_REDIS_URL: redis.url,
    CAIRN_SECRET: secret,
    CAIRN_ROLE: 'api',
  }
  child = await startProcess(await newFolder(), { settings })
  const app = await buildersOn(service).app()
  const { id } = await makeSession(app)
  const players = await playSession(buildersOn(service), app, id, [30, 20, 10])
  const ids = players.map((player) => player.id)
  const ranks = () => ranksOf(app, ids)
  await expect.poll(() => ranks().then(() => loadedBoards(redis.url, app.id))).toBe(1)

  const client = new Redis(redis.url)
  onTestFinished(() => client.disconnect())
  const holder = new pg.Client({ connectionString: service.databaseUrl })
  holder.on('error', () => {})
  onTestFinished(() => holder.end())
  await holder.connect()
  // Without a new generation, it does not acknowledge unpublished writes for ten seconds.
  await holder.query('begin; lock table rank_generation in exclusive mode')
  // Redis accepts no writes: the process cannot publish its commits.
  await client.call('CLIENT', 'PAUSE', '60000', 'WRITE')
  const dead = fetch(`${child.url}${appUrl(`game-sessions/${id}/players/${ids[2]}`)}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...app.headers },
    body: JSON.stringify({ score: 40 }),
  }).then(
    ({ status }) => status,
    () => 'cut off',
  )
  const best = async () =>
    (
      await sqlOn(service)<{ key: number }>('select rank_key as key from player_best where player_id = $1', [ids[2]])
    )[0]!.key
  await expect.poll(best, { interval: 5 }).toBe(40)
  child.child.kill('SIGKILL')
  expect(await dead).toBe('cut off')
  await child.ended
  await holder.query('rollback')
  await client.call('CLIENT', 'UNPAUSE')

  const truth = await ranksInSql(service, app.id)
  expect([...truth.values()].sort()).toEqual([1, 2, 3])
  await expect.poll(ranks).toEqual(truth)
  // Not permanently from the database: the board is reloaded with correct ranks.
  await expect.poll(() => ranks().then(() => loadedBoards(redis.url, app.id))).toBe(1)
  const scores = async () => {
    await ranks()
    const [keys = ''] = await client.keys(`cairn:*${app.id}*:keys`)
    return (await client.zrange(keys, '0', '-1', 'WITHSCORES')).filter((_, i) => i % 2 === 1)
  }
  await expect.poll(scores).toEqual(['20', '30', '40'])
  await sleep(2_500) // remains so after the dead process is removed
  expect(await ranks()).toEqual(truth)
})
