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
  onMismatch: (board: { appId: string; typeKey: string; key: number; index: number; database: number }) => void
  onWrite?: ((appId: string, typeKey: string) => void) | undefined
}

const AGAIN_AFTER_MS = 200
/** How long an answer of unknown outcome waits until its boards are unloaded; that goes on meanwhile. */
const UNLOAD_MS = 5_000

/** Ranks kept in Redis, together with every other process of this database. Nothing connects before the first use. */
export function redisRanks({ redis, url, processId, pool, connections, onError, onMismatch, onWrite }: Deps) {
  const commands = rankCommands(redis)
  const processes = rankCluster({ url, processId, onError })
  const keysOf = (appId: string, typeKey: string) => boardKeys(processes.space()!, appId, typeKey)
  const boardsOfApp = (appId: string) => `cairn:{${processes.space()}:${appId}}:boards`

  async function fence(): Promise<string> {
    await processes.ready()
    await connections.endLost()
    return rankFence(pool)
  }

  async function load(appId: string, typeKey: string): Promise<boolean> {
    const board = { appId, typeKey, keys: keysOf(appId, typeKey), load: newId() }
    // For when the app is gone.
    await redis.sadd(boardsOfApp(appId), typeKey)
    return loadBoard({ pool, commands, fence }, board)
  }

  const boards = redisBoards({ commands, processes, keysOf, load, onError })
  const telling = redisRankWriter({ commands, processes, keysOf, onError })
  const check = redisCheck({ redis, pool, commands, keysOf, isLoaded: boards.size, onMismatch, onError })
  const shared = redisIdentityCheck({ redis, pool, processId, space: processes.space, onError })
  const { failed, worked } = logOnce(onError)
  let isStopped = false
  /** What a statement of unknown outcome did may be missing in a board that counts. */
  let isUnsure = false

  /** Ends what may yet be written by statements of unknown outcome, then lets no board count that lacks it, anywhere. */
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
    for (const typeKey of await redis.smembers(boardsOfApp(appId))) {
      await commands.cairnRankDrop(...keysOf(appId, typeKey))
    }
    await redis.unlink(boardsOfApp(appId))
  }

  const keeper: RankKeeper = {
    above: async (appId, typeKey, keys) => {
      const counts = await boards.above(appId, typeKey, keys)
      if (counts) check.sees(appId, typeKey)
      return counts
    },
    size: boards.size,
    ready: processes.ready,
    /** Also what left a best as it was: the process that moved it there may not have told of it yet, or may have died since. */
    apply(changes) {
      for (const { appId, typeKey } of changes) onWrite?.(appId, typeKey)
      return changes.length > 0 ? telling.tell(changes) : undefined
    },
    unload: () => Promise.race([renew(), sleep(UNLOAD_MS, undefined, { ref: false })]),
    unloadAll: () => void renew(),
    // Nobody asks for them any more: what cannot be dropped now only takes room.
    forget: (appId) => void dropAll(appId).catch(failed),
  }

  return {
    boards: keeper,
    load: boards.load,
    counters: check.counters,
    reads: boards.counters,
    /** Whether ranks come from SQL because this process cannot reach Redis. */
    isOut: processes.hasLeft,

    /** @throws a sentence where other processes have another Redis */
    async start(): Promise<void> {
      await processes.ready()
      await shared.start()
      check.start()
    },

    /** To be called when all that was written has been answered. */
    async stop(): Promise<void> {
      isStopped = true
      shared.stop()
      check.stop()
      telling.stop()
      await processes.stop({ leave: !isUnsure })
    },
  }
}
