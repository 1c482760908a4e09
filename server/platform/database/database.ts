import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { noteCommits } from './commits.ts'

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
  /** Notes for the request that sends it what each statement commits. */
  notesCommits?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: each store names its own tables; the connection knows none of them.
export type AnyTables = any

export type Database = { kysely: Kysely<AnyTables>; pool: pg.Pool; close: () => Promise<void> }

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
  connectMs = 10_000,
}: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    options: `-c timezone=UTC -c datestyle=ISO -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
    connectionTimeoutMillis: connectMs,
    // When the server itself does not answer any more, its own timeout does not help.
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + 5000 } : {}),
    keepAlive: true,
    types,
  }
}

/** A pool of connections and the query builder on it. Opens connections as they are needed; an idle one that breaks is replaced, not thrown. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({ ...connectionConfig(options), max: options.max })
  pool.on('error', () => {})
  // A connection in use that breaks fails its query; that it also emits an error must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  if (options.notesCommits) noteCommits(pool)
  const kysely = new Kysely<AnyTables>({ dialect: new PostgresDialect({ pool }) })
  return { kysely, pool, close: () => kysely.destroy() }
}
