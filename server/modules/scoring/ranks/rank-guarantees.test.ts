import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { UnknownOutcome } from '../../../platform/errors.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { boardsInMemory, openScoreParts } from '../../../test/scoring/score-parts.ts'
import { boardsInSql, makeWorld } from '../../../test/scoring/score-world.ts'
import { storesOf } from '../leaderboards/board-sql.ts'
import { hiddenScoreStore } from '../rankings/hidden-score-store.ts'
import { rankingService } from '../rankings/ranking-service.ts'
import { rankingStore } from '../rankings/ranking-store.ts'
import { defaultGame } from '../types/store.ts'
import { boardCheck } from './memory/board-check.ts'
import { countAboveEach, readBoard } from './memory/board-loader.ts'

const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)]!

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ url: database.url, applicationName: 'cairn-test', max: 12 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

describe('ranks', () => {
  test('during a load are those of SQL, also with concurrent writes, and the loaded board has all changes', async () => {
    const { app, players, sessions } = await makeWorld(db.pool, { players: 25, sessions: 3 })
    const loadsBegun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const { scores, boards, calls } = openScoreParts(database.url, db, undefined, async (appId, boardKey) => {
      loadsBegun.resolve()
      const loaded = await readBoard(db.pool, appId, boardKey)
      await gate.promise // its snapshot is taken: later writes must be added to it
      return loaded
    })
    const rankings = rankingService({
      stores: storesOf(() => rankingStore(db.pool)),
      hiddenScores: hiddenScoreStore(db.pool, (address) => address),
      choose: async (appId) => boardOfDefaultGame(appId),
      computed: () => undefined,
      index: boards,
      tops: undefined,
    })
    const write = () =>
      calls.save({
        appId: app,
        sessionId: sessions[0]!,
        playerId: pick(players),
        score: Math.floor(Math.random() * 12),
      })
    const expectRight = async () => {
      const { rows } = await db.pool.query<{ id: string; rank: number }>(
        `select player_id as id, rank() over (order by rank_key desc) as rank from player_best
          where app_id = $1 and type_key = $2 and rank_key is not null`,
        [app, defaultGame],
      )
      expect(await rankings.size(boardOfDefaultGame(app))).toBe(rows.length)
      for (const { id, rank } of rows) expect((await rankings.ofPlayer(app, id, {})).ranking).toBe(rank)
    }
    await write()
    await expectRight()
    await loadsBegun.promise
    for (let turn = 0; turn < 5; turn++) {
      await Promise.all(Array.from({ length: 10 }, write))
      expect([...boards.loaded()]).toHaveLength(0)
      await expectRight()
    }
    gate.resolve()
    expect(await boards.load(app, defaultGame)).toBe(true)
    for (let turn = 0; turn < 3; turn++) {
      expect([...boards.loaded()]).toHaveLength(1)
      await expectRight()
      await Promise.all(Array.from({ length: 10 }, write))
    }
    await expectRight()
    await scores.close()
  })

  test('count a commit whose response was lost once after the board is reloaded', async () => {
    const { app, players, sessions, types } = await makeWorld(db.pool, { players: 3, sessions: 3 })
    const { scores, open, boards, calls } = openScoreParts(database.url, db)
    await boards.load(app, types[0]!)
    const holder = await db.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from player_best where app_id = $1 for update', [app])
    const lost = expect(
      calls.save({ appId: app, sessionId: sessions[0]!, playerId: players[0]!, score: 1000 }),
    ).rejects.toThrow(UnknownOutcome)
    await sleep(100) // it waits for the lock by now
    for (const client of open) socketOf(client).destroy()
    await lost
    expect([...boards.loaded()]).toHaveLength(0)
    await holder.query('commit')
    holder.release()
    const isCommitted = async () =>
      (await db.pool.query('select 1 from player_best where app_id = $1 and score = 1000', [app])).rowCount === 1
    while (!(await isCommitted())) await sleep(5) // the server continues: it does not know that the socket is closed

    expect(await boards.load(app, types[0]!)).toBe(true)
    const ofType = [...(await boardsInSql(db.pool, app))].filter(([key]) => key.startsWith(types[0]!))
    expect([...boardsInMemory(boards, app)].sort()).toEqual(ofType.sort())
    expect(boardsInMemory(boards, app).get(`${types[0]} 1000`)).toBe(1)
    await scores.close()
  })

  test('of a corrupted index are detected by the self-check and corrected', async () => {
    const { app, types } = await makeWorld(db.pool, { players: 30, sessions: 3 })
    const { scores, boards, calls } = openScoreParts(database.url, db)
    const found: unknown[] = []
    const check = boardCheck({
      boards,
      countAboveEach: (appId, boardKey, keys) => countAboveEach(db.pool, appId, boardKey, keys),
      settled: calls.settled,
      onMismatch: (mismatch) => found.push(mismatch),
      onError: (error) => found.push(error),
      everyMs: 1,
    })
    for (const type of types) await boards.load(app, type)
    const right = boardsInMemory(boards, app)
    const wrong = [...boards.loaded()][1]!
    wrong.board.index!.add(1e6) // a player that does not exist, above all others
    check.start()
    while (found.length === 0) await sleep(5)
    check.stop()
    while (![...boards.loaded()].some((one) => one.boardKey === wrong.boardKey)) await sleep(5)
    expect(found).toMatchObject([{ appId: app, boardKey: wrong.boardKey }])
    expect(boardsInMemory(boards, app)).toEqual(right)
    await scores.close()
  })
})

const boardOfDefaultGame = (appId: string) => ({
  appId,
  key: defaultGame,
  typeKey: defaultGame,
  wholeKey: defaultGame,
  type: undefined,
  period: undefined,
})

/** The socket of a connection of the database. */
const socketOf = (client: pg.PoolClient) =>
  (client as pg.PoolClient & { connection: { stream: { destroy(): void } } }).connection.stream
