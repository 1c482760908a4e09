import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Log } from '../../logging/log.ts'
import type { Metrics } from '../../metrics.ts'
import type { RedisClient } from '../../redis/redis.ts'
import { type AnyTables, type Database, openDatabase, socketOf } from '../database.ts'
import { databaseError } from '../database-errors.ts'
import { createWriteMarks } from './replica-marks.ts'
import { createReplicaWatch, type LogPlace } from './replica-watch.ts'

/** A reading that has to be as new as the database waits so long for the replica. */
const FRESH_MS = 500
/** A write that other processes cannot be told of waits so long for the replica. */
const UNTOLD_MS = 2000
const CONNECT_MS = 2000

/** Who asks, and up to where the replica must have come before this one may be answered from it. */
type Asker = { callers: () => string[]; isFresh: boolean; needs?: Promise<LogPlace | undefined> }

/** Where lists, boards, searches and exports are read. Every statement is one of its own, and none is for a decision before a write. */
export type Reads = {
  database: Database
  /** As `Platform.searches`. */
  searches: Database
  replica: Replica | undefined
}

export type Replica = ReturnType<typeof openReplica>['replica']

type Deps = {
  primaryUrl: string
  replicaUrl: string
  database: Database
  searches: Database
  redis: RedisClient | undefined
  log: Log
  metrics: Metrics
}

/** Without a replica, what is there without one. */
export const readsWithoutReplica = (database: Database, searches: Database): Reads => ({
  database: { ...database, ...database.reading },
  searches,
  replica: undefined,
})

/**
 * Reads through a streaming replica: only inside of `reading`, for callers whose own writes it shows, and as long as
 * it answers. Everything else, and what fails there, is asked of the primary.
 */
export function openReplica({ primaryUrl, replicaUrl, database, searches, redis, log, metrics }: Deps) {
  const asking = new AsyncLocalStorage<Asker>()
  const busy = new Set<pg.PoolClient>()
  const reads = metrics.counter('cairn_replica_reads_total', 'Reads that a replica may answer, by who did', ['by'])
  const [byReplica, byPrimary, again] = ['replica', 'primary', 'primary after all'].map((by) => reads.labels(by))
  const watch = createReplicaWatch({
    primaryUrl,
    replicaUrl,
    log,
    // What hangs on it would hang for as long as its own timeout.
    onAway: () => {
      for (const client of busy) socketOf(client)?.destroy()
    },
  })
  const marks = createWriteMarks({ redis, replayed: watch.replayed })
  metrics.gauge('cairn_replica_used', '1 while the replica is read from', () =>
    watch.replayed() === undefined ? 0 : 1,
  )
  metrics.gauge('cairn_replica_behind_seconds', 'How far the replica is behind', () => watch.behindMs() / 1000)

  /** Whether the replica may answer whoever asks now. */
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

  /** What is to be asked of the primary instead; else it is thrown. */
  function notHere(error: Error): void {
    if (isSlow(error)) throw error
    again!.inc()
    // A statement that fails here alone, for a column that is not there yet or rows that were removed, says nothing of the next one.
    if (databaseError(error)?.status === 503 && !isConflict(error)) watch.failed(error)
  }

  /** One statement. */
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
    const from = { replica: replica.pool, primary: primary.reading.pool }
    const ask = (...asked: unknown[]) => query(from, ...asked)
    // As much of a pool as stores and Kysely ask of one: statements, each of which goes where it may.
    const pool = {
      query: ask,
      connect: async () => ({ query: ask, release: () => {} }),
      end: async () => {},
    } as unknown as pg.Pool
    const kysely = new Kysely<AnyTables>({ dialect: new PostgresDialect({ pool }) })
    return { kysely, pool, close: () => replica.close() }
  }

  const replica = {
    /** What `work` reads may be read from the replica. @param isFresh it must show all that was written before */
    reading<T>(callers: () => string[], isFresh: boolean, work: () => T): T {
      return asking.run({ callers, isFresh }, work)
    },

    /** These have written, or were told of what was: until the replica shows it they read from the primary, in every process. */
    async wrote(callers: string[]): Promise<void> {
      // Where the primary does not say it any more it is not known how far they wrote.
      const place = await watch.written().catch(() => Number.MAX_SAFE_INTEGER)
      if (!(await marks.mark(callers, place))) await watch.reaches(place, UNTOLD_MS)
    },

    /** Why it is not read from; undefined while it is. */
    away: watch.away,
    /** By how much it is behind the primary. */
    behindMs: watch.behindMs,
    start: watch.start,
    stop: watch.stop,
  }
  return {
    database: readable(database, { max: 8, statementTimeoutMs: 30_000 }),
    searches: readable(searches, { max: 4, statementTimeoutMs: 10_000 }),
    replica,
  }
}

/** It would take as long on the primary. */
const isSlow = (error: Error & { code?: string }) => error.code === '57014' || error.message === 'Query read timeout'

/** The replica had to go on, and what this statement still looked at was removed (PostgreSQL's manual, 27.4.2). */
const isConflict = (error: Error & { code?: string }) => error.code === '40001'
