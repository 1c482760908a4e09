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

/** Nobody writes to them, or reads them, any more: a request takes seconds. */
const overSql = `
  select app_id as "appId", board_key as key from period_boards
   where every is not null and least(ends_at, closed_at) < clock_timestamp() - interval '5 minutes'
  union all
  select app_id, board_key from period_boards where every is null and closed_at < clock_timestamp() - interval '5 minutes'
   limit 1000`

/** Deletes boards of windows that ended, of windows that nobody reads, and of deleted seasons, in short transactions. */
export function periodCleanup(pool: pg.Pool) {
  return async (): Promise<void> => {
    await pool.query(idleSql)
    const { rows } = await pool.query<{ appId: string; key: string }>(overSql)
    for (const { appId, key } of rows) {
      const text = `delete from period_best where ctid = any (array(
        select ctid from period_best where app_id = $1 and board_key = $2 limit ${BATCH}))`
      await inBatches(BATCH, async () => (await pool.query(text, [appId, key])).rowCount)
      await pool.query('delete from period_boards where app_id = $1 and board_key = $2', [appId, key])
    }
  }
}
