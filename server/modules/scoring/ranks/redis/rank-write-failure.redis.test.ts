import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../../test/builders.ts'
import { loadedBoards } from '../../../../test/programs/redis/redis-ranks.ts'
import { startRedis } from '../../../../test/programs/redis/redis-server.ts'
import { crowd, ranksInSql, ranksOf } from '../../../../test/scoring/rank-crowd.ts'
import { appUrl, makeSession, playSession, setScore } from '../../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'
import { sqlOn } from '../../../../test/sql.ts'
import { defaultGame } from '../../types/store.ts'
import { boardKeys, rankCommands } from './rank-scripts.ts'
import { redisCheck } from './redis-check.ts'

let server: Awaited<ReturnType<typeof startRedis>>
let service: Service
let redis: Redis
let pool: pg.Pool
beforeAll(async () => {
  server = await startRedis()
  service = await startService({ CAIRN_REDIS_URL: server.url })
  redis = new Redis(server.url)
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  pool.on('error', () => {})
})
afterAll(async () => {
  await pool?.end()
  redis?.disconnect()
  await service?.stop()
  await server?.stop()
})

const loaded = (app: Caller & { id: string }, ids: string[], boards = 1) =>
  expect.poll(() => ranksOf(app, ids).then(() => loadedBoards(server.url, app.id))).toBe(boards)

describe('a score that another process committed but did not publish', () => {
  test('counts once any process has acknowledged the same score, or a worse one', async () => {
    const app = await buildersOn(service).app()
    const { id: session } = await makeSession(app)
    const players = await playSession(buildersOn(service), app, session, [30, 20, 10])
    const ids = players.map(({ id }) => id)
    const second = await makeSession(app)
    await app.post(appUrl(`game-sessions/${second.id}/players`), { playerId: ids[2] })
    await loaded(app, ids)
    // The state that process reached.
    const saved = 'select outcome from save_score($1, $2, $3, $4)'
    expect(await sqlOn(service)(saved, [app.id, session, ids[2], 40])).toEqual([{ outcome: 'ok' }])
    await setScore(app, session, ids[2]!, 40)
    expect(await ranksOf(app, ids)).toEqual(await ranksInSql(service, app.id))

    await sqlOn(service)(saved, [app.id, session, ids[2], 50])
    await sqlOn(service)(saved, [app.id, session, ids[1], 45])
    await setScore(app, second.id, ids[2]!, 35)
    await setScore(app, session, ids[1]!, 45)
    expect(await ranksOf(app, ids)).toEqual(await ranksInSql(service, app.id))
  })
})

describe('the comparison of Redis with the database', () => {
  const spaceOf = async () => (await redis.keys('cairn:{*:state'))[0]!.slice('cairn:{'.length).split(':')[0]!
  type Comparison = { settledMs?: number; meanwhile?: (state: string) => Promise<unknown> }

  /** A loaded board that ranks every player, and its comparison. @param meanwhile runs between the first and the second read */
  async function compared({ settledMs = 600, meanwhile = async () => {} }: Comparison = {}) {
    const some = await crowd(buildersOn(service), 6)
    const { app, players } = some
    for (let n = 0; n < 30; n++) await some.change(app)
    const { id: session } = some.sessions[0]!
    for (const [n, playerId] of players.entries()) {
      await app.patch(appUrl(`players/${playerId}`), { standing: 'normal' })
      await app.post(appUrl(`game-sessions/${session}/players`), { playerId })
      await setScore(app, session, playerId, 100 + n)
    }
    await expect.poll(() => ranksOf(app, players).then(() => loadedBoards(server.url, app.id))).toBeGreaterThan(0)
    const keys = boardKeys(await spaceOf(), app.id, defaultGame)
    await expect.poll(() => ranksOf(app, players).then(() => redis.hget(keys[0], 'ok'))).toBe('1')
    const mismatches: object[] = []
    let looks = 0
    const check = redisCheck({
      redis,
      pool,
      commands: rankCommands(redis),
      keysOf: (appId, boardKey) => boardKeys(keys[0].slice('cairn:{'.length).split(':')[0]!, appId, boardKey),
      isLoaded: async () => {
        if (++looks === 2) await meanwhile(keys[0])
        return (await redis.hget(keys[0], 'ok')) === '1' ? redis.zcard(keys[1]) : undefined
      },
      onMismatch: (board) => mismatches.push(board),
      onError: (error) => mismatches.push(error as object),
      settledMs,
    })
    return { ...some, keys, mismatches, check: () => check.check(app.id, defaultGame), counters: check.counters }
  }
  const member = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

  test('finds nothing while scores are written', async () => {
    const { app, players, change, check, mismatches } = await compared({ settledMs: 5_000 })
    let isOver = false
    const writing = Promise.all(
      [1, 2].map(async () => {
        while (!isOver) await change(app)
      }),
    )
    for (let n = 0; n < 4; n++) expect([true, undefined]).toContain(await check())
    isOver = true
    await writing
    await expect.poll(() => ranksOf(app, players).then(check)).toBe(true)
    // No read found a difference: that would reload the board.
    expect(mismatches).toEqual([])
  })

  test('detects a wrong, a missing and an extra player; the board is reloaded correctly', async () => {
    const { app, players, keys, check, mismatches, counters } = await compared()
    const damages = [
      () => redis.zadd(keys[1], 7777, member(players[0]!)),
      () => redis.zrem(keys[1], member(players[1]!)),
      () => redis.zadd(keys[1], 8888, member(randomUUID())),
    ]
    for (const [n, damage] of damages.entries()) {
      await damage()
      expect(await check()).toBe(false)
      expect(mismatches).toHaveLength(n + 1)
      await expect.poll(() => ranksOf(app, players).then(() => redis.hget(keys[0], 'ok'))).toBe('1')
      expect(await ranksOf(app, players)).toEqual(await ranksInSql(service, app.id))
      expect(await check()).toBe(true)
    }
    expect(counters.mismatches).toBe(3)
  })

  test('skips a board that was reloaded in between', async () => {
    // Another load, which may have been incomplete during the first read.
    const loadAgain = (state: string) => redis.hset(state, 'load', randomUUID())
    const { app, players, keys, check, mismatches } = await compared({ meanwhile: loadAgain })
    await redis.zadd(keys[1], 7777, member(players[0]!))
    expect(await check()).toBeUndefined()
    expect(mismatches).toEqual([])
    await rankCommands(redis).cairnRankDrop(...keys)
    expect(await ranksOf(app, players)).toEqual(await ranksInSql(service, app.id))
  })
})
