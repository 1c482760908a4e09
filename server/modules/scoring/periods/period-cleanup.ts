import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inBatches } from '../../../platform/database/query/batches.ts'

/** Rows per transaction. */
const BATCH = 5_000

/** Windows that nobody read for two of their periods, at least a week. */
const idleSql = `
  with idle as (
    delete from board_windows w
     where w.asked_at < clock_timestamp() - greatest(interval '7 days', 2 * ('1 ' || w.every)::interval)
    returning w.app_id, w.type_key, w.every)
  update period_boards b set closed_at = clock_timestamp() from idle w
   where b.app_id = w.app_id and b.type_key = w.type_key and b.every = w.every and b.closed_at is null`

/**
 * Boards that nobody writes to or reads any more: a request takes seconds. The last board of a window is kept until the
 * next one is made, because a score only looks for missing boards if its type has one.
 */
const overSql = `
  select app_id as "appId", board_key as key from period_boards b
   where closed_at < clock_timestamp() - interval '5 minutes'
      or (every is not null and ends_at < clock_timestamp() - interval '5 minutes'
          and exists (select from period_boards n
                       where n.app_id = b.app_id and n.type_key = b.type_key and n.every = b.every
                         and n.starts_at > b.starts_at and n.closed_at is null))
   limit 1000`

/** The keys of the boards of segments of a period, as segment_key computes them. */
const segmentsSql = `
  select distinct segment_key(board_key, s) as key from period_best, unnest(segments) s
   where app_id = $1 and board_key = $2`

/** How long another process may take to hear of a change. */
const TOLD_MS = 2_000

type Deps = {
  pool: pg.Pool
  /** Tells all processes to discard the rank indexes of boards, named by app and key. */
  discard: (boards: string[]) => Promise<unknown>
}

/** Deletes boards of windows that ended, of windows that nobody reads, and of deleted seasons, in short transactions. */
export function periodCleanup({ pool, discard }: Deps) {
  return async (): Promise<void> => {
    await pool.query(idleSql)
    const { rows } = await pool.query<{ appId: string; key: string }>(overSql)
    if (rows.length === 0) return
    // First, so that no index is compared with a board whose rows are gone.
    const keys: string[] = []
    for (const { appId, key } of rows) {
      const segments = await pool.query<{ key: string }>(segmentsSql, [appId, key])
      keys.push(`${appId} ${key}`, ...segments.rows.map((segment) => `${appId} ${segment.key}`))
    }
    await discard(keys)
    await sleep(TOLD_MS, undefined, { ref: false })
    for (const { appId, key } of rows) {
      const text = `delete from period_best where ctid = any (array(
        select ctid from period_best where app_id = $1 and board_key = $2 limit ${BATCH}))`
      await inBatches(BATCH, async () => (await pool.query(text, [appId, key])).rowCount)
      await pool.query('delete from period_boards where app_id = $1 and board_key = $2', [appId, key])
    }
  }
}
