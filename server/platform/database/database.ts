import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { FairPool } from './fair-pool.ts'
import { reading, WriteTrackingDialect } from './write-tracking.ts'

export type DatabaseOptions = {
  url: string
  /** Shown in pg_stat_activity, and how a new process finds what a crashed one left running. */
  applicationName: string
  /** Connections at most. */
  max: number
  /** Milliseconds a statement may take on the server; 0 is no limit. */
  statementTimeoutMs?: number
  /** Milliseconds a transaction may stand still between two statements; 0 is no limit. A process that is stopped holds its locks no longer. */
  idleInTransactionMs?: number
  /** Milliseconds until whoever waits for a connection is told that there is none. */
  connectMs?: number
  /** Milliseconds a statement may wait for a lock; 0 is no limit. */
  lockTimeoutMs?: number
  /** Shares the connections fairly among requests, limits their waits for locks, and tracks their writes. */
  isFair?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: each store names its own tables; the connection knows none of them.
export type AnyTables = any

export type Database = {
  kysely: Kysely<AnyTables>
  pool: pg.Pool
  /** The same connections, for statements that only read: none counts as a write of the request. */
  reading: Pick<Database, 'kysely' | 'pool'>
  /** The pool, where it is shared fairly among requests. */
  fairPool?: FairPool
  close: () => Promise<void>
}

/** Milliseconds until whoever waits for a connection is told that there is none. A server that takes it and says nothing would keep one waiting for hours. */
export const CONNECT_TIMEOUT_MS = 10_000
/** What is still asked when a process ends has so long. */
const CLOSE_MS = 3000

const INT8 = 20
const NUMERIC = 1700
const TIMESTAMPTZ = 1184

/** PostgreSQL's text of a moment in UTC, `2026-01-31 12:00:00.12+00`, as ISO 8601 with milliseconds. Slicing costs a tenth of going through Date. */
export function isoTime(text: string): string {
  const fraction = text.charAt(19) === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/** Integers and counts leave as numbers (all of ours are below 2^53), moments as ISO text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8 || oid === NUMERIC) return Number
      if (oid === TIMESTAMPTZ) return isoTime
    }
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/** Connection settings that every connection of the service shares. */
export function connectionConfig({
  url,
  applicationName,
  statementTimeoutMs = 0,
  idleInTransactionMs = 0,
  lockTimeoutMs = 0,
  connectMs = CONNECT_TIMEOUT_MS,
}: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    options: `-c timezone=UTC -c datestyle=ISO -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs} -c lock_timeout=${lockTimeoutMs}`,
    connectionTimeoutMillis: connectMs,
    // When the server itself does not answer any more, its own timeout does not help.
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + 5000 } : {}),
    keepAlive: true,
    types,
  }
}

/** A pool of connections and the query builder on it. Opens connections as they are needed; an idle one that breaks is replaced, not thrown. */
export function openDatabase(options: DatabaseOptions): Database {
  const config = { ...connectionConfig(options), max: options.max }
  const fairPool = options.isFair ? new FairPool(config) : undefined
  const pool = fairPool ?? new pg.Pool(config)
  pool.on('error', () => {})
  // A connection in use that breaks fails its query; that it also emits an error must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const busy = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  const kysely = new Kysely<AnyTables>({
    dialect: fairPool ? fairDialect(fairPool) : new PostgresDialect({ pool }),
  })
  async function end(): Promise<void> {
    // Kysely's own `destroy` leaves a pool open that was only used beside it.
    await Promise.race([pool.end(), sleep(CLOSE_MS, undefined, { ref: false })])
    for (const client of busy) socketOf(client)?.destroy()
  }
  let closed: Promise<void> | undefined
  return {
    kysely,
    pool,
    reading: fairPool ? { kysely: reading(kysely), pool: readingPool(fairPool) } : { kysely, pool },
    ...(fairPool && { fairPool }),
    /** Lets go of every connection: of those in use after three seconds, whatever they wait for. */
    close: () => {
      closed ??= end()
      return closed
    },
  }
}

const fairDialect = (pool: FairPool) =>
  new WriteTrackingDialect({ pool: { connect: () => pool.connectTracked(), end: () => pool.end() } as pg.Pool })

/** As much of a pool as stores ask of one that they only read from. */
const readingPool = (pool: FairPool) =>
  ({ query: (...statement: unknown[]) => pool.read(...statement), connect: () => pool.connect() }) as pg.Pool

/** The connection itself: where the other end hangs, ending it is all that helps. */
export const socketOf = (client: pg.PoolClient): Socket | undefined =>
  (client as unknown as { connection?: { stream?: Socket } }).connection?.stream
