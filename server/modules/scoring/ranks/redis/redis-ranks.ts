import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { coalesceRuns } from '../../../../platform/concurrency/coalesce.ts'
import { newId } from '../../../../platform/ids.ts'
import { logOnce } from '../../../../platform/live/log-once.ts'
import type { RedisClient } from '../../../../platform/redis/redis.ts'
import type { ScoreConnections } from '../../scores/score-connections.ts'
import { rankCluster } from '../rank-cluster.ts'
import type { RankKeeper } from '../rank-provider.ts'
import { rankFence } from './rank-fence.ts'
import { loadBoard } from './rank-load.ts'
import { boardKeys, rankCommands } from './rank-scripts.ts'
import { redisBoards } from './redis-boards.ts'
import { redisCheck } from './redis-check.ts'
import { redisIdentityCheck } from './redis-identity-check.ts'
import { redisRankWriter } from './redis-rank-writer.ts'

type Deps = {
  redis: RedisClient
  /** The primary. */
  url: string
  processId: string
  /** The connections that write scores. */
  pool: pg.Pool
  connections: ScoreConnections
  onError: (error: unknown) => void
  onMismatch: (board: { appId: string; boardKey: string; key: number; index: number; database: number }) => void
  onWrite?: ((appId: string, boardKey: string) => void) | undefined
}

const AGAIN_AFTER_MS = 200
/** How long a write of unknown outcome waits until its boards are unloaded; unloading continues afterwards. */
const UNLOAD_MS = 5_000

/** Ranks in Redis, shared with all processes of this database. Connects on first use. */
export function redisRanks({ redis, url, processId, pool, connections, onError, onMismatch, onWrite }: Deps) {
  const commands = rankCommands(redis)
  const processes = rankCluster({ url, processId, onError })
  const keysOf = (appId: string, boardKey: string) => boardKeys(processes.space()!, appId, boardKey)
  const boardsOfApp = (appId: string) => `cairn:{${processes.space()}:${appId}}:boards`

  async function fence(): Promise<string> {
    await processes.ready()
    await connections.endLost()
    return rankFence(pool)
  }

  async function load(appId: string, boardKey: string): Promise<boolean> {
    const board = { appId, boardKey, keys: keysOf(appId, boardKey), load: newId() }
    // Needed when the app is deleted.
    await redis.sadd(boardsOfApp(appId), boardKey)
    return loadBoard({ pool, commands, fence }, board)
  }

  const boards = redisBoards({ commands, processes, keysOf, load, onError })
  const telling = redisRankWriter({ commands, processes, keysOf, onError })
  const check = redisCheck({ redis, pool, commands, keysOf, isLoaded: boards.size, onMismatch, onError })
  const shared = redisIdentityCheck({ redis, pool, processId, space: processes.space, onError })
  const { failed, worked } = logOnce(onError)
  let isStopped = false
  /** Handles a statement of unknown outcome, whose effect may be missing in a valid board. */
  let isUnsure = false

  /** Ends statements of unknown outcome, then invalidates all boards that lack their effect, in all processes. */
  const renew = coalesceRuns(async () => {
    isUnsure = true
    while (!isStopped) {
      try {
        await connections.endLost()
        await processes.renew()
        isUnsure = false
        return worked()
      } catch (error) {
        failed(error)
        await sleep(AGAIN_AFTER_MS)
      }
    }
  })

  async function dropAll(appId: string): Promise<void> {
    await processes.ready()
    for (const boardKey of await redis.smembers(boardsOfApp(appId))) {
      await commands.cairnRankDrop(...keysOf(appId, boardKey))
    }
    await redis.unlink(boardsOfApp(appId))
  }

  async function dropOne(appId: string, boardKey: string): Promise<void> {
    await processes.ready()
    await commands.cairnRankDrop(...keysOf(appId, boardKey))
    await redis.srem(boardsOfApp(appId), boardKey)
  }

  const keeper: RankKeeper = {
    above: async (appId, boardKey, keys) => {
      const counts = await boards.above(appId, boardKey, keys)
      if (counts) check.remember(appId, boardKey)
      return counts
    },
    size: boards.size,
    ready: processes.ready,
    /** Also publishes unchanged best scores: the process that set them may not have published them, or may be dead. */
    apply(changes) {
      for (const { appId, boardKey } of changes) onWrite?.(appId, boardKey)
      return changes.length > 0 ? telling.tell(changes) : undefined
    },
    unload: () => Promise.race([renew(), sleep(UNLOAD_MS, undefined, { ref: false })]),
    unloadAll: () => void renew(),
    discard: (appId, boardKey) => dropOne(appId, boardKey).catch(failed),
    // Unused boards that cannot be dropped now only take memory.
    forget: (appId) => void dropAll(appId).catch(failed),
  }

  return {
    boards: keeper,
    load: boards.load,
    counters: check.counters,
    reads: boards.counters,
    /** Whether ranks come from SQL because this process cannot reach Redis. */
    isOut: processes.hasLeft,

    /** @throws an error if other processes have another Redis */
    async start(): Promise<void> {
      await processes.ready()
      await shared.start()
      check.start()
    },

    /** Call it when all writes have been answered. */
    async stop(): Promise<void> {
      isStopped = true
      shared.stop()
      check.stop()
      telling.stop()
      await processes.stop({ leave: !isUnsure })
    },
  }
}
