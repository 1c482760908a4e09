import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../../platform/database/database.ts'
import { collector } from '../../../../platform/process/garbage.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import { boardsInMemory, openScoreParts } from '../../../../test/scoring/score-parts.ts'
import { boardsInSql, makeWorld } from '../../../../test/scoring/score-world.ts'
import { readBoard } from './board-loader.ts'
import { RankIndex } from './rank-index.ts'
import { bytesOfBoard } from './rank-index-cache.ts'

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

describe('boards in memory', () => {
  test('beyond their memory discard those that were not read for longest, which count the same when they are read again', async () => {
    const loads: string[] = []
    const read = (app: string, type: string) => {
      loads.push(type)
      return readBoard(db.pool, app, type)
    }
    const { scores, boards, calls } = openScoreParts(database.url, db, undefined, read, 7_000)
    const { app, types, players, sessions } = await makeWorld(db.pool, { players: 20, sessions: 6 })
    const [first, second, third] = types as [string, string, string]
    for (const type of [first, second]) await boards.load(app, type)
    boards.above(app, first, [0])
    await boards.load(app, third)
    expect([...boards.loaded()].map(({ boardKey }) => boardKey)).toEqual([first, third])
    await calls.save({ appId: app, sessionId: sessions[1]!, playerId: players[0]!, score: 1000 })
    await boards.load(app, second)
    expect(loads).toEqual([first, second, third, second])
    const ofBoards = [...(await boardsInSql(db.pool, app))].filter(([key]) =>
      [second, third].some((type) => key.startsWith(type)),
    )
    expect([...boardsInMemory(boards, app)].sort()).toEqual(ofBoards.sort())
    await scores.close()
  })

  test('that are larger than all of their memory are not kept', async () => {
    const { scores, boards } = openScoreParts(database.url, db, undefined, undefined, bytesOfBoard - 1)
    const { app, types } = await makeWorld(db.pool, { players: 20, sessions: 3 })
    expect(await boards.load(app, types[0]!)).toBe(false)
    expect(boards.above(app, types[0]!, [0])).toBeUndefined()
    expect([...boards.loaded()]).toEqual([])
    await scores.close()
  })

  test('that grow beyond their memory after they were loaded are not kept', async () => {
    const { scores, boards, calls } = openScoreParts(database.url, db, undefined, undefined, 3_100)
    const { app, types, players, sessions } = await makeWorld(db.pool, { players: 40, sessions: 3 })
    await calls.deleteSession(app, sessions[0]!)
    expect(await boards.load(app, types[0]!)).toBe(true)
    const session = randomUUID()
    await db.pool.query('insert into game_sessions (app_id, id, type_key) values ($1, $2, $3)', [
      app,
      session,
      types[0],
    ])
    for (const player of players) await db.pool.query('select register_player($1, $2, $3)', [app, session, player])
    for (const playerId of players) await calls.save({ appId: app, sessionId: session, playerId, score: 1 })
    boards.above(app, types[0]!, [0])
    expect(boards.above(app, types[0]!, [0])).toBeUndefined()
    expect(boards.bytes()).toBe(0)
    await scores.close()
  })

  test('queue a bounded number of loads: one that found no place is loaded when it is requested again', async () => {
    const { app, types } = await makeWorld(db.pool, { players: 20, sessions: 3 })
    const empty = await readBoard(db.pool, app, randomUUID())
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
    let loads = 0
    const read = async (_app: string, board: string) => {
      loads++
      await isFree
      return board === types[0] ? readBoard(db.pool, app, board) : { ...empty, index: RankIndex.fromSorted() }
    }
    const { scores, boards } = openScoreParts(database.url, db, undefined, read)
    for (let n = 0; n < 5_000; n++) boards.above(app, randomUUID(), [0])
    expect(boards.size(app, types[0]!)).toBeUndefined()
    free()
    await expect.poll(() => [...boards.loaded()].length).toBe(1_002)
    expect(loads).toBe(1_002)
    await expect.poll(() => boards.size(app, types[0]!)).toBeGreaterThan(0)
    await scores.close()
  })

  test('are not read if they are unloaded while their loads wait', async () => {
    const { app, types } = await makeWorld(db.pool, { players: 20, sessions: 3 })
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
    const read: string[] = []
    const { scores, boards } = openScoreParts(database.url, db, undefined, async (_app, board) => {
      read.push(board)
      await isFree
      return readBoard(db.pool, app, board)
    })
    for (let n = 0; n < 50; n++) boards.above(app, randomUUID(), [0])
    await expect.poll(() => read.length).toBe(2)
    boards.unload([app])
    boards.size(app, types[0]!)
    free()
    await expect.poll(() => boards.size(app, types[0]!)).toBeGreaterThan(0)
    expect(read.slice(2)).toEqual([types[0]])
    await scores.close()
  })

  test('leave nothing behind when they are unloaded', async () => {
    const { scores, boards } = openScoreParts(database.url, db)
    const { app, types } = await makeWorld(db.pool, { players: 20, sessions: 3 })
    await boards.load(app, types[0]!)
    const held = [...boards.loaded()].map((entry) => new WeakRef(entry))
    boards.unload([app])
    await sleep(1) // a reference is kept until the turn of the event loop ends
    collector()()
    expect(held.map((entry) => entry.deref())).toEqual([undefined])
    await scores.close()
  })
})
