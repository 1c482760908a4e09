import type { Pool } from 'pg'

const POSITIONS_AT_A_TIME = 20_000
const CHECK_INS_AT_A_TIME = 5000

/** As in record_check_in (0056_check_in_retention.sql): whether a check-in is the reason why the player cannot repeat it. */
const FORBIDS_ANOTHER = `
  c.state <> 'rejected'
  and case f.check_in ->> 'once'
        when 'ever' then true
        when 'day' then c.created_at > now() - interval '25 hours'
        else c.created_at > now() - make_interval(secs => (f.check_in ->> 'once')::float8) end
  and not exists (select from check_ins n
                   where n.app_id = c.app_id and n.player_id = c.player_id and n.fence_id = c.fence_id
                     and n.state <> 'rejected' and n.created_at > c.created_at)`

/** Of the old check-ins after a place in the list, removes those that may go. */
const REMOVE_CHECK_INS = `
  with old as (
    select c.id, c.created_at, coalesce(${FORBIDS_ANOTHER}, false) as stays
      from check_ins c join fences f on f.app_id = c.app_id and f.id = c.fence_id
     where c.app_id = $1 and c.created_at < now() - make_interval(days => $2)
       and ($3::timestamptz is null or (c.created_at, c.id) > ($3::timestamptz, $4::uuid))
     order by c.created_at, c.id limit $5 for update of c),
  gone as (delete from check_ins c using old where c.app_id = $1 and c.id = old.id and not old.stays)
  select created_at::text as at, id from old order by created_at desc, id desc limit 1`

/** Removes what is no longer kept of players, in SQL. */
export function removalStore(pool: Pool) {
  return {
    /** Removes positions older than their app keeps them, marks of check-ins older than a day, and corners of photos older than a month. */
    async removeOldPositions(): Promise<void> {
      await pool.query(`
        delete from player_positions y using (
          select y.app_id, y.player_id from player_positions y left join fence_settings s on s.app_id = y.app_id
           where y.seen_at < now() - make_interval(secs => coalesce(s.retain_seconds, 600))
           order by 1, 2 limit ${POSITIONS_AT_A_TIME} for update of y skip locked) old
         where y.app_id = old.app_id and y.player_id = old.player_id`)
      await pool.query(`
        update check_ins set mark = null
         where mark is not null and created_at < now() - interval '1 day'`)
      await pool.query(`
        update check_in_proofs set tag_ids = null, corners = null
         where corners is not null and created_at < now() - interval '30 days'`)
    },

    /** Removes check-ins older than their app keeps them, except those that forbid another one. */
    async removeOldCheckIns(): Promise<void> {
      const { rows: apps } = await pool.query<{ id: string; days: number }>(
        'select app_id as id, check_in_days as days from fence_settings where check_in_days is not null order by 1',
      )
      for (const { id, days } of apps)
        for (let last: { at: string; id: string } | undefined, isFirst = true; isFirst || last; isFirst = false) {
          const values = [id, days, last?.at ?? null, last?.id ?? null, CHECK_INS_AT_A_TIME]
          last = (await pool.query<{ at: string; id: string }>(REMOVE_CHECK_INS, values)).rows[0]
        }
    },
  }
}
