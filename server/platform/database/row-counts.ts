import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { MAX_COUNTED } from '../schema.ts'
import type { AnyTables } from './database.ts'
import { inBatches } from './query/batches.ts'

/** Tables whose rows are counted by triggers (0002_row_counts.sql): per app or endpoint, and in total. */
const LISTED = ['players', 'game_sessions', 'webhook_deliveries', 'gcps', 'zones', 'users', 'audit_log'] as const
/** These, and scans, which are counted by day. */
export const COUNTED_TABLES = [...LISTED, 'scans']
type Listed = (typeof LISTED)[number]

const NOTES_AT_ONCE = 10_000

/**
 * The exact number of rows, without scanning them. @param scope an app, an endpoint or (GCPs) a zone; without it all
 */
export async function countedRows(db: Kysely<AnyTables>, table: Listed, scope: string | number = ''): Promise<number> {
  const { rows } = await sql<{
    total: number
  }>`select rows_counted(${table}, ${String(scope).toLowerCase()}) as total`.execute(db)
  return rows[0]!.total
}

/**
 * The number of rows of a list: the maintained count without a filter (all are undefined), otherwise by counting up to
 * 10,000. @param found the `from` clause for counting
 */
export async function totalOf(
  db: Kysely<AnyTables>,
  whole: { table: Listed; scope?: string },
  filter: object,
  found: ReturnType<typeof sql>,
): Promise<number> {
  if (Object.values(filter).every((value) => value === undefined)) return countedRows(db, whole.table, whole.scope)
  return countUpTo(db, found)
}

/** Counts rows up to 10,000. @param found the `from` clause */
export async function countUpTo(db: Kysely<AnyTables>, found: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select from ${found} limit ${MAX_COUNTED}) as counted`.execute(db)
  return rows[0]!.total
}

/** Recounts rows that were written without triggers. Writers of these tables wait meanwhile. */
export async function recountRows(client: pg.ClientBase): Promise<void> {
  for (const table of COUNTED_TABLES) await client.query('select count_rows($1)', [table])
}

/** Folds row count changes, so that a count is the sum of few numbers. */
export const foldRowCounts = (pool: pg.Pool): Promise<void> =>
  inBatches(NOTES_AT_ONCE, async () => {
    const { rows } = await pool.query('select fold_row_counts($1) as folded', [NOTES_AT_ONCE])
    return rows[0].folded
  })
