import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Log } from '../../logging/log.ts'
import type { Metrics } from '../../metrics.ts'
import type { RedisClient } from '../../redis/redis.ts'
import { type BulkThread, kyselyOn } from '../bulk/bulk-reads.ts'
import { type AnyTables, type Database, openDatabase, socketOf } from '../database.ts'
import { databaseError } from '../database-errors.ts'
import { createWriteMarks } from './replica-marks.ts'
import { createReplicaWatch, type LogPlace } from './replica-watch.ts'

/** How long a read that must be current waits for the replica. */
const FRESH_MS = 500
/** How long a write waits for the replica if other processes cannot be informed. */
const UNTOLD_MS = 2000
const CONNECT_MS = 2000

/** The callers of a request, and the position that the replica must have reached for them. */
type Asker = { callers: () => string[]; isFresh: boolean; needs?: Promise<LogPlace | undefined> }

/** Where lists, boards, searches and exports are read. Every statement stands alone, and none decides about a write. */
export type Reads = {
  database: Database
  /** See `Platform.searches`. */
  searches: Database
  /** See `Platform.bulk`. */
  bulk: Kysely<AnyTables>
  replica: Replica | undefined
}

export type Replica = ReturnType<typeof openReplica>['replica']

type Deps = {
  primaryUrl: string
  replicaUrl: string
  database: Database
  searches: Database
  bulkThread: BulkThread
  bulkPool: pg.Pool
  redis: RedisClient | undefined
  log: Log
  metrics: Metrics
}

/** The reads without a replica. */
export const readsWithoutReplica = (database: Database, searches: Database, bulk: Kysely<AnyTables>): Reads => ({
  database: { ...database, ...database.reading },
  searches,
  bulk,
  replica: undefined,
})

/**
 * Reads through a streaming replica: only inside `reading`, for callers whose own writes it shows, and while it
 * responds. Everything else, and what fails there, uses the primary.
 */
export function openReplica({
  primaryUrl,
  replicaUrl,
  database,
  searches,
  bulkThread,
  bulkPool,
  redis,
  log,
  metrics,
}: Deps) {
  const asking = new AsyncLocalStorage<Asker>()
  const busy = new Set<pg.PoolClient>()
  const reads = metrics.counter(
    'cairn_replica_reads_total',
    'Reads that may use a replica, by the server that answered',
    ['by'],
  )
  const [byReplica, byPrimary, byFallback] = ['replica', 'primary', 'primary after all'].map((by) => reads.labels(by))
  const watch = createReplicaWatch({
    primaryUrl,
    replicaUrl,
    log,
    // Statements on a hanging replica would otherwise hang until their timeout.
    onAway: () => {
      for (const client of busy) socketOf(client)?.destroy()
    },
  })
  const marks = createWriteMarks({ redis, replayed: watch.replayed })
  metrics.gauge('cairn_replica_used', '1 while the replica is in use', () => (watch.replayed() === undefined ? 0 : 1))
  metrics.gauge('cairn_replica_behind_seconds', 'Lag of the replica', () => watch.behindMs() / 1000)

  /** Whether the replica may answer the current caller. */
  async function mayAnswer(): Promise<boolean> {
    const asker = asking.getStore()
    if (!asker || watch.replayed() === undefined) return false
    asker.needs ??= asker.isFresh ? watch.written().catch(() => undefined) : marks.of(asker.callers())
    const needed = await asker.needs
    if (needed === undefined) return false
    if (asker.isFresh) return watch.reaches(needed, FRESH_MS)
    return (watch.replayed() ?? -1) >= needed
  }

  function release(client: pg.PoolClient, error?: Error): void {
    busy.delete(client)
    client.release(error)
  }

  /** Returns for errors after which the primary is asked; throws the others. */
  function notHere(error: Error): void {
    if (isSlow(error)) throw error
    byFallback!.inc()
    // An error of one statement, such as a column that is not replicated yet or removed rows, says nothing about the
    // next one.
    if (databaseError(error)?.status === 503 && !isConflict(error)) watch.failed(error)
  }

  /** Runs one statement. */
  async function query(from: { replica: pg.Pool; primary: pg.Pool }, ...asked: unknown[]): Promise<unknown> {
    const askPrimary = () => Reflect.apply(from.primary.query, from.primary, asked)
    if (!(await mayAnswer())) {
      byPrimary!.inc()
      return askPrimary()
    }
    let client: pg.PoolClient | undefined
    try {
      client = await from.replica.connect()
      busy.add(client)
      const result = await Reflect.apply(client.query, client, asked)
      release(client)
      byReplica!.inc()
      return result
    } catch (error) {
      if (client) release(client, error as Error)
      notHere(error as Error)
      return askPrimary()
    }
  }

  function readable(primary: Database, { max, statementTimeoutMs }: { max: number; statementTimeoutMs: number }) {
    const replica = openDatabase({
      url: replicaUrl,
      applicationName: 'cairn-reads',
      max,
      statementTimeoutMs,
      connectMs: CONNECT_MS,
    })
    return { ...routed({ replica: replica.pool, primary: primary.reading.pool }), close: () => replica.close() }
  }

  /** The part of a pool that stores and Kysely use: single statements, each routed by itself. */
  function routed(from: { replica: pg.Pool; primary: pg.Pool }) {
    const ask = (...asked: unknown[]) => query(from, ...asked)
    const pool = {
      query: ask,
      connect: async () => ({ query: ask, release: () => {} }),
      end: async () => {},
    } as unknown as pg.Pool
    return { kysely: kyselyOn(pool), pool }
  }

  const replicaBulk = bulkThread.pool(replicaUrl, { applicationName: 'cairn-reads', connectMs: CONNECT_MS })
  const replica = {
    /** Allows the replica for what `work` reads. @param isFresh whether it must show all earlier writes */
    reading<T>(callers: () => string[], isFresh: boolean, work: () => T): T {
      return asking.run({ callers, isFresh }, work)
    },

    /**
     * These callers have written, or have learned of a write: until the replica shows it they read from the primary,
     * in every process.
     */
    async wrote(callers: string[]): Promise<void> {
      // If the primary does not respond, the position of the write is unknown.
      const place = await watch.written().catch(() => Number.MAX_SAFE_INTEGER)
      if (!(await marks.mark(callers, place))) await watch.reaches(place, UNTOLD_MS)
    },

    /** Why it is not used; undefined while it is. */
    away: watch.away,
    /** Its lag behind the primary in milliseconds. */
    behindMs: watch.behindMs,
    start: watch.start,
    stop: watch.stop,
  }
  return {
    database: readable(database, { max: 8, statementTimeoutMs: 30_000 }),
    searches: readable(searches, { max: 4, statementTimeoutMs: 10_000 }),
    bulk: routed({ replica: replicaBulk, primary: bulkPool }).kysely,
    replica,
  }
}

/** It would take as long on the primary. */
const isSlow = (error: Error & { code?: string }) => error.code === '57014' || error.message === 'Query read timeout'

/** The replica had to replay the removal of rows that this statement still needed (PostgreSQL's manual, 27.4.2). */
const isConflict = (error: Error & { code?: string }) => error.code === '40001'
