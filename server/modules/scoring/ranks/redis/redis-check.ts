import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { RedisClient } from '../../../../platform/redis/redis.ts'
import type { RankProvider } from '../rank-provider.ts'
import type { BoardKeys, RankCommands } from './rank-scripts.ts'

type Deps = {
  redis: RedisClient
  pool: pg.Pool
  commands: RankCommands
  keysOf: (appId: string, boardKey: string) => BoardKeys
  /** Undefined while the board is not loaded. */
  isLoaded: RankProvider['size']
  onMismatch: (board: { appId: string; boardKey: string; key: number; index: number; database: number }) => void
  onError: (error: unknown) => void
  everyMs?: number
  /** Longer than it takes to publish a committed score, even for a process that stalls until others consider it dead. */
  settledMs?: number
}

/** Number of compared players of each side. */
const PLAYERS = 32
/** Number of boards remembered for comparison. */
const BOARDS_AT_MOST = 1_000

/** The keys of some IDs, and their neighbours, which may be missing in Redis. */
const SOME = `
  select player_id as id, rank_key as key, version from board_keys
   where app_id = $1 and board_key = $2 and player_id = any(array(
     select unnest($3::uuid[])
     union all (select player_id from board_keys where app_id = $1 and board_key = $2 and player_id >= $4
                 order by player_id limit ${PLAYERS / 2})
     union all (select player_id from board_keys where app_id = $1 and board_key = $2 and player_id < $4
                 order by player_id desc limit ${PLAYERS / 2})))`
/** For players that are not in Redis. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

type Row = { id: string; key: number | null; version: number }

/**
 * Compares the rank keys of some players in Redis with the database, one board at a time, and drops a board that differs.
 * Skips players whose best score changed meanwhile.
 */
export function redisCheck(parts: Deps) {
  const { redis, pool, commands, keysOf, isLoaded, onMismatch, onError, everyMs = 10_000, settledMs = 10_000 } = parts
  const counters = { checks: 0, mismatches: 0 }
  const seen = new Map<string, { appId: string; boardKey: string }>()
  let timer: NodeJS.Timeout | undefined

  const inDatabase = async (appId: string, boardKey: string, ids: string[]) => {
    const { rows } = await pool.query<Row>({
      name: 'rank_check',
      text: SOME,
      values: [appId, boardKey, ids, ids[0] ?? NOBODY],
    })
    return new Map(rows.map((row) => [row.id, row]))
  }

  async function inRedis([, keys]: BoardKeys, ids: string[]): Promise<Map<string, number | null>> {
    if (ids.length === 0) return new Map()
    const found = await redis.zmscore(keys, ...ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')))
    return new Map(ids.map((id, i) => [id, found[i] == null ? null : Number(found[i])]))
  }

  /** @returns whether they agree; undefined if the board was not loaded all the time */
  async function check(appId: string, boardKey: string): Promise<boolean | undefined> {
    const keys = keysOf(appId, boardKey)
    if ((await isLoaded(appId, boardKey)) === undefined) return undefined
    const load = await redis.hget(keys[0], 'load')
    const drawn = (await redis.zrandmemberBuffer(keys[1], PLAYERS)) as Buffer[]
    const rows = await inDatabase(appId, boardKey, drawn.map(idOf))
    const ids = [...new Set([...drawn.map(idOf), ...rows.keys()])]
    const before = await inRedis(keys, ids)
    const keyOf = (from: Map<string, Row>, id: string) => from.get(id)?.key ?? null
    const suspects = ids.filter((id) => before.get(id) !== keyOf(rows, id))
    if (suspects.length > 0) {
      // Earlier commits are published by now.
      await sleep(settledMs, undefined, { ref: false })
      const now = await inRedis(keys, suspects)
      const again = await inDatabase(appId, boardKey, suspects)
      if ((await isLoaded(appId, boardKey)) === undefined) return undefined
      // A reload in between may have been incomplete at the first read.
      if ((await redis.hget(keys[0], 'load')) !== load) return undefined
      const wrong = suspects.find(
        (id) => again.get(id)?.version === rows.get(id)?.version && now.get(id) !== keyOf(again, id),
      )
      if (wrong !== undefined) {
        counters.checks++
        counters.mismatches++
        const [index, database] = [now.get(wrong) ?? Number.NaN, keyOf(again, wrong) ?? Number.NaN]
        onMismatch({ appId, boardKey, key: database, index, database })
        await commands.cairnRankDrop(...keys)
        return false
      }
    }
    counters.checks++
    return true
  }

  async function next(): Promise<void> {
    const [first] = seen
    if (first) {
      const [name, { appId, boardKey }] = first
      seen.delete(name)
      const isKept = await check(appId, boardKey).catch(onError)
      if (isKept) remember(appId, boardKey)
    }
    timer?.refresh()
  }

  /** Remembers a used board. */
  function remember(appId: string, boardKey: string): void {
    if (seen.size < BOARDS_AT_MOST) seen.set(`${appId} ${boardKey}`, { appId, boardKey })
  }

  return {
    counters,
    check,
    remember,
    start(): void {
      timer ??= setTimeout(next, everyMs).unref()
    },
    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
