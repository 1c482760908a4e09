import type pg from 'pg'
import { inBatches } from '../../../platform/database/query/batches.ts'
import { defaultGame } from '../types/store.ts'

/** Rows per transaction. */
const BATCH = 5_000

/** Past the days of the history, so that a board that is being read is not cut. */
const oldest = "clock_timestamp() - make_interval(days => t.days) - interval '1 hour'"

const overSql = `
  select t.app_id as "appId", t.type_key as "typeKey"
    from (select app_id, id, history_days from mini_game_types
          union all select id, '${defaultGame}', history_days_of(id, '${defaultGame}') from apps) t(app_id, type_key, days)
   where exists (select from score_history h
                  where h.app_id = t.app_id and h.type_key = t.type_key and h.replaced_at < ${oldest})`

const deleteSql = `
  delete from score_history where ctid = any (array(
    select h.ctid from score_history h, (select history_days_of($1, $2)) t(days)
     where h.app_id = $1 and h.type_key = $2 and h.replaced_at < ${oldest}
     order by h.replaced_at limit ${BATCH}))`

/** Deletes scores that were replaced more than the `historyDays` of their mini game type ago, in short transactions. */
export function historyCleanup(pool: pg.Pool) {
  return async (): Promise<void> => {
    const { rows } = await pool.query<{ appId: string; typeKey: string }>(overSql)
    for (const { appId, typeKey } of rows)
      await inBatches(BATCH, async () => (await pool.query(deleteSql, [appId, typeKey])).rowCount)
  }
}
