import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { MAX_COUNTED } from '../schema.ts'
import type { AnyTables } from './database.ts'
import { inBatches } from './query/batches.ts'

/** Tables whose rows are counted as they come and go (0002_row_counts.sql): of an app, of an endpoint, and all there are. */
const LISTED = ['players', 'game_sessions', 'webhook_deliveries', 'gcps', 'zones', 'users', 'audit_log'] as const
/** Those, and scans, which are counted by day. */
export const COUNTED_TABLES = [...LISTED, 'scans']
type Listed = (typeof LISTED)[number]

const NOTES_AT_ONCE = 10_000

/** How many rows there are, exactly and without going through them. @param scope of which app, endpoint, or (GCPs) zone; without it all */
export async function countedRows(db: Kysely<AnyTables>, table: Listed, scope: string | number = ''): Promise<number> {
  const { rows } = await sql<{
    total: number
  }>`select rows_counted(${table}, ${String(scope).toLowerCase()}) as total`.execute(db)
  return rows[0]!.total
}

/** How many rows a list has: what is counted anyway where no filter is set (all are undefined), else by going through them, up to 10,000. @param found what they are selected from then */
export async function totalOf(
  db: Kysely<AnyTables>,
  whole: { table: Listed; scope?: string },
  filter: object,
  found: ReturnType<typeof sql>,
): Promise<number> {
  if (Object.values(filter).every((value) => value === undefined)) return countedRows(db, whole.table, whole.scope)
  return countUpTo(db, found)
}

/** How many rows there are, up to 10,000, by going through them. @param found what they are selected from */
export async function countUpTo(db: Kysely<AnyTables>, found: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select from ${found} limit ${MAX_COUNTED}) as counted`.execute(db)
  return rows[0]!.total
}

/** Counts anew what was written while triggers were off. Whoever writes to one of the tables waits while it is counted. */
export async function recountRows(client: pg.ClientBase): Promise<void> {
  for (const table of COUNTED_TABLES) await client.query('select count_rows($1)', [table])
}

/** Adds up what was noted of rows that came and went, so that a count is the sum of few numbers. */
export const foldRowCounts = (pool: pg.Pool): Promise<void> =>
  inBatches(NOTES_AT_ONCE, async () => {
    const { rows } = await pool.query('select fold_row_counts($1) as folded', [NOTES_AT_ONCE])
    return rows[0].folded
  })
