import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../database.ts'

/**
 * The numbers of PostgreSQL's advisory locks, in one place so that none is used twice. They must stay the same in every
 * release.
 */
export const LOCKS = {
  migrations: 7_210_001,
  signingKeys: 7_210_002,
  singleProcess: 7_210_003,
  processes: 7_210_004,
  removals: 7_210_005,
  scheduledBackup: 7_210_006,
  alerts: 7_210_007,
  firstAccount: 7_210_011,
  providerKeys: 7_210_012,
  roles: 7_210_020,
  usage: 7_210_021,
  /** Taken by functions of 0002_row_counts.sql. */
  rowCounts: 7_210_022,
  jobIndex: 7_210_023,
  /** Taken by functions of 0025_webhook_deliveries.sql. */
  webhookBounds: 7_210_024,
}

/**
 * The first numbers of two-number locks, which are distinct from one-number locks. 0010_login_codes.sql uses 7210010 to
 * 7210013.
 */
export const LOCK_FAMILIES = { aprilTags: 7210, contents: 7211, owners: 7212, periodBoards: 7213, segments: 7214 }

/** PostgreSQL has space for some thousand locks in total, so contents share this many. */
const CONTENT_LOCKS = 1024

/** Waits for the lock and holds it until the transaction ends. */
export async function lock(transaction: Kysely<AnyTables>, name: keyof typeof LOCKS): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS[name]})`.execute(transaction)
}

/**
 * Until the transaction ends, no other process requests, completes or deletes the conversion of these contents. Name all
 * contents in one call, which locks them in a fixed order.
 */
export async function lockContents(transaction: Kysely<AnyTables>, sha256s: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${LOCK_FAMILIES.contents}, place)
      from (select distinct (hashtextextended(content, 0) & ${CONTENT_LOCKS - 1})::int as place
              from unnest(${sha256s}::text[]) as content order by place) as ordered`.execute(transaction)
}
