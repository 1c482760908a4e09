import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { BoardChange } from '../rank-provider.ts'
import { packChanges } from './rank-changes.ts'
import { boardKeys, rankCommands } from './rank-scripts.ts'

const redis = new Redis(process.env.CAIRN_TEST_REDIS_URL!)
const commands = rankCommands(redis)
afterAll(() => redis.disconnect())

const [appId, boardKey] = [randomUUID(), randomUUID()]
const keys = boardKeys('test', appId, boardKey)
beforeEach(() => commands.cairnRankDrop(...keys))

const shuffled = <T>(list: T[]): T[] =>
  list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
const tell = async (...changes: BoardChange[]) => {
  for (const part of packChanges(changes)) await commands.cairnRankChange(...keys, part)
}
const recordOf = (playerId: string, key: number) => {
  const record = Buffer.alloc(24)
  record.write(playerId.replaceAll('-', ''), 'hex')
  record.writeDoubleBE(key, 16)
  return record
}
const change = (playerId: string, version: number, to: number | null, xid: number): BoardChange => ({
  appId,
  boardKey,
  playerId,
  from: null,
  to,
  xid,
  version,
})
/** Rank keys by player, as stored in Redis. */
async function board(): Promise<Map<string, number>> {
  const found = await redis.zrangeBuffer(keys[1], '0', '-1', 'WITHSCORES')
  return new Map(
    Array.from({ length: found.length / 2 }, (_, i) => [found[2 * i]!.toString('hex'), Number(found[2 * i + 1])]),
  )
}
const plain = (playerId: string) => playerId.replaceAll('-', '')

describe('changes of a board in Redis', () => {
  test('give the same result in any order and repetition, before, during and after a load', async () => {
    for (let round = 0; round < 8; round++) {
      await commands.cairnRankDrop(...keys)
      const players = Array.from({ length: 5 }, () => randomUUID())
      // The history of each player; transactions up to 1000 are in the snapshot, except 990, which was in progress.
      const snapshot = new Map<string, number | null>()
      const truth = new Map<string, number | null>()
      const history: BoardChange[] = []
      for (const player of players) {
        let xid = 900 + Math.floor(Math.random() * 80)
        for (let version = 1; version <= 12; version++) {
          xid += 1 + Math.floor(Math.random() * 20)
          const to = Math.random() < 0.3 ? null : Math.floor(Math.random() * 5)
          history.push(change(player, version, to, xid))
          truth.set(player, to)
          if (xid <= 1000 && xid !== 990) snapshot.set(player, to)
        }
      }
      // A change that the snapshot lacks is later than those of the same player, because of the row lock.
      const isPossible = players.every((player) => {
        const own = history.filter((one) => one.playerId === player)
        const cut = own.findIndex(({ xid }) => xid > 1000 || xid === 990)
        return own.every(({ xid }, i) => i >= cut === (xid > 1000 || xid === 990))
      })
      if (!isPossible) continue
      const told = shuffled([...history, ...history])
      const [early, open, late] = [told.splice(0, 25), told.splice(0, 35), told]
      expect(await commands.cairnRankBegin(...keys, 'a load', 'now', 10_000)).toBe('begun')
      await tell(...early)
      expect(await commands.cairnRankOpened(...keys, 'a load', 985, 1001, ',990,')).toBe(1)
      for (const one of open) await tell(one)
      for (const [player, key] of snapshot)
        if (key !== null) await commands.cairnRankFill(...keys, 'a load', recordOf(player, key), 10_000)
      await tell(...late)
      expect(await commands.cairnRankFinish(...keys, 'a load')).toBe(1)
      const ranked = [...truth].filter((one): one is [string, number] => one[1] !== null)
      expect(await board()).toEqual(new Map(ranked.map(([player, key]) => [plain(player), key])))
      const scores = ranked.map(([, key]) => key)
      expect(await commands.cairnRankLook(...keys, 'now', '2')).toEqual([
        scores.length,
        scores.filter((key) => key > 2).length,
      ])
    }
  })

  test('are dropped if no board is loaded, and a board of another generation is invalid', async () => {
    await tell(change(randomUUID(), 1, 5, 10))
    expect(await redis.exists(...keys)).toBe(0)
    expect(await commands.cairnRankBegin(...keys, 'a load', 'now', 10_000)).toBe('begun')
    expect(await commands.cairnRankLook(...keys, 'now')).toBeNull()
    expect(await commands.cairnRankBegin(...keys, 'another', 'now', 10_000)).toBe('loading')
    await commands.cairnRankOpened(...keys, 'a load', 1, 1, ',')
    await commands.cairnRankFinish(...keys, 'a load')
    expect(await commands.cairnRankBegin(...keys, 'another', 'now', 10_000)).toBe('loaded')
    expect(await commands.cairnRankLook(...keys, 'now')).toEqual([0])
    expect(await commands.cairnRankLook(...keys, 'later')).toBeNull()
  })

  test('in the snapshot do not restore a player whose later change was published before the load', async () => {
    const [gone, open] = [randomUUID(), randomUUID()]
    await tell(change(gone, 2, null, 20)) // no board is loaded: dropped
    await commands.cairnRankBegin(...keys, 'a load', 'now', 10_000)
    await tell(change(gone, 1, 5, 10))
    await commands.cairnRankOpened(...keys, 'a load', 15, 30, ',15,')
    await tell(change(gone, 1, 5, 10), change(open, 1, 7, 15))
    await commands.cairnRankFinish(...keys, 'a load')
    await tell(change(gone, 1, 5, 10))
    expect(await board()).toEqual(new Map([[plain(open), 7]]))
  })

  test('of an overtaken load are refused', async () => {
    await commands.cairnRankBegin(...keys, 'slow', 'now', 10_000)
    expect(await commands.cairnRankBegin(...keys, 'quick', 'later', 10_000)).toBe('begun')
    expect(await commands.cairnRankOpened(...keys, 'slow', 1, 1, ',')).toBe(0)
    expect(await commands.cairnRankFill(...keys, 'slow', recordOf(randomUUID(), 1), 10_000)).toBe(0)
    expect(await commands.cairnRankFinish(...keys, 'slow')).toBe(0)
    expect(await board()).toEqual(new Map())
  })

  test('preserve every double', async () => {
    await commands.cairnRankBegin(...keys, 'a load', 'now', 10_000)
    await commands.cairnRankOpened(...keys, 'a load', 1, 1, ',')
    const doubles = [5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 0.1 + 0.2, 2 ** 53 - 1, -0]
    const players = doubles.map(() => randomUUID())
    await tell(...doubles.map((key, i) => change(players[i]!, 1, key, 7)))
    const found = await board()
    expect(players.map((player) => found.get(plain(player)))).toEqual(doubles.map((key) => key + 0))
  })
})
