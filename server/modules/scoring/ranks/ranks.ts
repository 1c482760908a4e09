import { groupWriter } from '../../../platform/concurrency/group-writer.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { LOCK_TIMEOUT_MS } from '../../../platform/database/fair-pool.ts'
import type { RedisClient } from '../../../platform/redis/redis.ts'
import { scoreApplication, scoreConnections } from '../scores/score-connections.ts'
import { scoreRepository } from '../scores/score-repository.ts'
import type { CoordinatorTops } from './coordinator/coordinator-tops.ts'
import { boardCheck } from './memory/board-check.ts'
import { countAboveEach, readBoard } from './memory/board-loader.ts'
import { rankIndexCache } from './memory/rank-index-cache.ts'
import { redisRanks } from './redis/redis-ranks.ts'

type Deps = {
  /** The primary. */
  url: string
  /** Unique for every start of the process: distinguishes its statements from those of a crashed one. */
  processId: string
  /** Redis, if several processes share ranks; without it ranks are in memory, and the process must be the only one. */
  redis?: RedisClient | undefined
  /** Memory of the rank indexes of this process. */
  maxBytes?: number
  /** Called for a board that could not be loaded or checked; ranks come from SQL meanwhile. */
  onError: (error: unknown) => void
  /** Called for a rank that differed from the database; its board is rebuilt. Should never happen. */
  onMismatch: (board: { appId: string; boardKey: string; key: number; index: number; database: number }) => void
  /** Called for each written score, whether or not a best score changed. */
  onWrite?: (appId: string, boardKey: string) => void
  /** Called for each score that a player reached; not for corrections, imports and decisions. */
  played?: (appId: string, typeKey: string, playerId: string) => void
}

/** Two lanes of score groups, batches and deletions, and two loads. */
const connectionsAtMost = 10
/** Shorter than the client's timeout, so that a slow statement has a known outcome. */
const statementTimeoutMs = 10_000
/** A load pauses while Redis processes a batch. */
const idleInTransactionMs = 60_000

/** The write path of scores and the rank indexes that it updates, on connections of its own. Connects on first use. */
export function openRanks(parts: Deps) {
  const { url, processId, redis } = parts
  const applicationName = scoreApplication + processId
  const database = openDatabase({
    url,
    applicationName,
    max: connectionsAtMost,
    statementTimeoutMs,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    idleInTransactionMs,
  })
  const { pool } = database
  const connections = scoreConnections({ pool, applicationName })
  const shared = redis && redisRanks({ ...parts, redis, pool, connections })
  const local = shared
    ? undefined
    : rankIndexCache({ ...parts, fence: connections.fence, read: readBoard.bind(null, pool) })
  const boards = (shared?.boards ?? local)!
  const calls = scoreRepository({ connections, boards, played: parts.played })
  const writer = groupWriter({
    keyOf: ({ appId, playerId }) => `${appId} ${playerId}`,
    save: calls.save,
    saveGroup: calls.saveGroup,
  })
  const check =
    local &&
    boardCheck({
      ...parts,
      boards: local,
      countAboveEach: (appId, boardKey, keys) => countAboveEach(pool, appId, boardKey, keys),
      settled: calls.settled,
    })

  return {
    boards,
    /** Loads the index of a board in advance. @returns whether it is loaded */
    load: (shared ?? local)!.load,
    calls,
    writer,
    /** Comparisons of ranks with the database since the start, and how many differed. */
    counters: (shared?.counters ?? check?.counters)!,
    /** Memory of the rank indexes of this process; 0 with Redis. */
    bytes: () => local?.bytes() ?? 0,
    /** The tops of boards that are kept in memory; undefined with Redis, where other processes write too. */
    tops: local?.tops,
    /** Tops that another process keeps. */
    topsElsewhere: undefined as CoordinatorTops | undefined,
    /** State of ranks in Redis. */
    shared,

    /** Registers with the other processes, and starts to compare ranks with the database. */
    async start(): Promise<void> {
      check?.start()
      await shared?.start()
    },

    /** Waits for writes in progress, then closes the connections. */
    async stop(): Promise<void> {
      check?.stop()
      await calls.settled()
      await shared?.stop()
      await database.close()
    },
  }
}

export type Ranks = ReturnType<typeof openRanks>
