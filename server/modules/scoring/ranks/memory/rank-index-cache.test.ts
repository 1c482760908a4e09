// @module-tag long
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../../platform/database/database.ts'
import { UnknownOutcome } from '../../../../platform/errors.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import { boardsInMemory, openScoreParts } from '../../../../test/scoring/score-parts.ts'
import { boardsInSql, makeWorld, type World } from '../../../../test/scoring/score-world.ts'
import { scoreApplication } from '../../scores/score-connections.ts'
import { boardCheck } from './board-check.ts'
import { countAboveEach, readBoard } from './board-loader.ts'

/** How long connections are broken while scores are written. More time finds rarer faults. */
const rounds = Number(process.env.CAIRN_TEST_ROUNDS || 30)
const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)]!

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ url: database.url, applicationName: 'cairn-test', max: 6 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const openParts = (timeoutMs?: number) => openScoreParts(database.url, db, timeoutMs)

describe('boards in memory', () => {
  test('agree with the table value by value while connections and sockets are broken', {
    timeout: 120_000,
  }, async () => {
    const { scores, open, connections, boards, calls, errors } = openParts()
    const world: World = await makeWorld(db.pool, { players: 40, sessions: 12 })
    const { app, players } = world
    const counts = { answered: 0, unknown: 0, ended: 0, destroyed: 0, compared: 0 }
    let paused = false
    let over = false
    let busy = 0

    async function write(): Promise<unknown> {
      const at = Math.random()
      const session = pick(world.sessions)
      const item = () => ({
        appId: app,
        sessionId: pick(world.sessions),
        playerId: pick(players),
        score: Math.floor(Math.random() * 9) - 4,
      })
      if (at < 0.6) return calls.save(item())
      if (at < 0.8) return calls.saveGroup(Array.from({ length: 1 + Math.floor(Math.random() * 12) }, item))
      if (at < 0.97) {
        const player = pick(players)
        await calls.removeFromSession(app, session, player)
        return db.pool.query('select register_player($1, $2, $3)', [app, session, player])
      }
      await calls.deleteSession(app, session)
      const renewed = randomUUID()
      const type = pick(world.types)
      await db.pool.query('insert into game_sessions (app_id, id, type_key) values ($1, $2, $3)', [app, renewed, type])
      for (const player of players) await db.pool.query('select register_player($1, $2, $3)', [app, renewed, player])
      world.sessions[world.sessions.indexOf(session)] = renewed
      return undefined
    }
    const writers = Array.from({ length: 24 }, async () => {
      while (!over) {
        if (paused) {
          await sleep(2)
          continue
        }
        busy++
        try {
          await write()
          counts.answered++
        } catch (error) {
          if (!(error instanceof UnknownOutcome)) throw error
          counts.unknown++
        } finally {
          busy--
        }
      }
    })
    const loader = (async () => {
      while (!over) {
        const type = pick(world.types)
        if (!paused && Math.random() < 0.3) boards.unload([app])
        await boards.load(app, type).catch((error) => errors.push(error))
        await sleep(5)
      }
    })()
    const blocker = (async () => {
      while (!over) {
        const client = await db.pool.connect()
        await client.query('begin')
        // In the lock order of all writers of bests (0012_scores.sql); another order would cause deadlocks.
        const bestsOfOne = 'app_id = $1 and player_id = $2 order by app_id, player_id, type_key'
        await client.query(`select 1 from player_best where ${bestsOfOne} for update`, [app, pick(players)])
        await sleep(Math.random() * 30)
        await client.query('rollback')
        client.release()
      }
    })()
    const breaker = (async () => {
      while (!over) {
        await sleep(15 + Math.random() * 60)
        const client = pick([...open]) as
          | (pg.PoolClient & { processID: number; connection: { stream: { destroy(): void } } })
          | undefined
        if (!client) continue
        if (Math.random() < 0.5) {
          counts.ended++
          await db.pool.query('select pg_terminate_backend($1)', [client.processID])
        } else {
          counts.destroyed++
          client.connection.stream.destroy()
        }
      }
    })()

    /** The breaker ends these statements too. */
    const untilDone = async (work: () => Promise<unknown>) => {
      for (let failed = 0; ; ) {
        try {
          if ((await work()) !== false) return
        } catch (error) {
          if (++failed === 100) throw error
        }
        await sleep(1)
      }
    }
    try {
      for (let i = 0; i < rounds / 3; i++) {
        await sleep(350)
        paused = true
        while (busy > 0) await sleep(1)
        await untilDone(() => connections.fence())
        for (const type of world.types) await untilDone(() => boards.load(app, type))
        expect(boardsInMemory(boards, app)).toEqual(await boardsInSql(db.pool, app))
        counts.compared++
        paused = false
      }
    } finally {
      over = true
      paused = false
    }
    await Promise.all([...writers, loader, blocker, breaker])
    await scores.close()
    expect(counts.answered).toBeGreaterThan(10)
    expect(counts.unknown).toBeGreaterThan(0)
    if (process.env.CAIRN_TEST_ROUNDS) console.log(counts)
  })

  test('a first load waits until statements of a crashed process have ended', async () => {
    const { app, players, sessions, types } = await makeWorld(db.pool, { players: 3, sessions: 3 })
    const crashed = openDatabase({ url: database.url, applicationName: `${scoreApplication}crashed`, max: 1 })
    crashed.pool.on('connect', (client) => client.on('error', () => {}))
    const holder = await db.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from player_best where app_id = $1 for update', [app])
    const left = crashed.pool.query('select save_score($1, $2, $3, 1000)', [app, sessions[0], players[0]])
    const ended = expect(left).rejects.toThrow()
    const hangs = `select from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`
    await expect.poll(async () => (await db.pool.query(hangs, [`${scoreApplication}crashed`])).rowCount).toBe(1)

    const { scores, boards } = openParts()
    expect(await boards.load(app, types[0]!)).toBe(true)
    await ended
    await holder.query('rollback')
    holder.release()
    expect(boards.above(app, types[0]!, [999])).toEqual([0])
    await crashed.close()
    await scores.close()
  })

  test('a response that takes too long closes the connection and unloads its boards', async () => {
    const { app, players, sessions, types } = await makeWorld(db.pool, { players: 3, sessions: 3 })
    const { scores, boards, calls } = openParts(150)
    await boards.load(app, types[0]!)
    const holder = await db.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from player_best where app_id = $1 for update', [app])
    const item = { appId: app, sessionId: sessions[0]!, playerId: players[0]!, score: 1000 }
    await expect(calls.save(item)).rejects.toThrow(UnknownOutcome)
    expect([[...boards.loaded()].length, scores.pool.totalCount]).toEqual([0, 0])

    const load = boards.load(app, types[0]!) // fences: the statement is ended and does not commit after the snapshot
    await load
    await holder.query('commit')
    holder.release()
    expect(boardsInMemory(boards, app).get(`${types[0]} 1000`)).toBeUndefined()
    const { rows } = await db.pool.query('select 1 from player_best where app_id = $1 and score = 1000', [app])
    expect(rows).toEqual([])
    await scores.close()
  })

  test('an error that the database reports affects neither boards nor connection', async () => {
    const { app, players, sessions, types } = await makeWorld(db.pool, { players: 3, sessions: 3 })
    const { scores, boards, calls } = openParts()
    await boards.load(app, types[0]!)
    const item = { appId: app, sessionId: sessions[0]!, playerId: players[0]!, score: Number.POSITIVE_INFINITY }
    await expect(calls.save(item)).rejects.toMatchObject({ code: '23514' })
    expect([[...boards.loaded()].length, scores.pool.totalCount]).toEqual([1, 1])
    await scores.close()
  })

  test('a load of many keys reads and sorts all of them', async () => {
    const { app, types } = await makeWorld(db.pool, { players: 1, sessions: 1 })
    const count = 60_000
    await db.pool.query(
      `with p as (
         insert into players (app_id, id, display_name, name_key)
         select $1, gen_random_uuid(), 'P' || n, 'p' || n from generate_series(1, $3::int) n returning id)
       insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
       select $1, $2, id, k, k, gen_random_uuid(), now() from (select id, random() * 1e6 - 5e5 as k from p) q`,
      [app, types[1], count],
    )
    const { index } = await readBoard(db.pool, app, types[1]!, 1_000)
    const keys = [...index.inspect()].flatMap((block) => [...block.keys])
    const { rows } = await db.pool.query<{ key: number }>(
      'select rank_key as key from player_best where app_id = $1 and type_key = $2 and rank_key is not null order by 1',
      [app, types[1]],
    )
    expect(keys.length).toBeGreaterThanOrEqual(count)
    expect(keys).toEqual(rows.map((row) => row.key))
  })

  test('a board that differs from the database is detected and rebuilt, one that agrees during writes is not', async () => {
    const { app, players, sessions, types } = await makeWorld(db.pool, { players: 30, sessions: 3 })
    const { scores, boards, calls } = openParts()
    const found: unknown[] = []
    const check = boardCheck({
      boards,
      countAboveEach: (appId, boardKey, keys) => countAboveEach(db.pool, appId, boardKey, keys),
      settled: calls.settled,
      onMismatch: (mismatch) => found.push(mismatch),
      onError: (error) => found.push(error),
    })
    for (const type of types) await boards.load(app, type)
    let over = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!over)
        await calls.save({ appId: app, sessionId: pick(sessions), playerId: pick(players), score: Math.random() })
    })
    for (let i = 0; i < 60; i++) expect(await check.check(app, types[i % 3]!)).not.toBe(false)
    over = true
    await Promise.all(writers)
    expect(check.counters.checks).toBeGreaterThan(30)
    expect([check.counters.mismatches, found]).toEqual([0, []])

    // a change behind the service's back
    await db.pool.query(
      'update player_best set score = 1e6, rank_key = 1e6 where app_id = $1 and type_key = $2 and score is not null',
      [app, types[0]],
    )
    expect(await check.check(app, types[0]!)).toBe(false)
    expect(found).toMatchObject([{ appId: app, boardKey: types[0] }])
    expect(check.counters.mismatches).toBe(1)
    expect(await check.check(app, types[0]!)).toBe(true)
    await scores.close()
  })
})
