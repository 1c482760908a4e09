import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { MAX_COUNTED } from '../../../platform/schema.ts'
import type { AppActivity } from './activity-schema.ts'

/** Boards and fences shown. */
const SHOWN = 5
const NO_TYPE = '00000000-0000-0000-0000-000000000000'

/** A day, and the number of different players up to the end of each hour in which one was added. */
export type ActiveDay = { day: string; players: number[] }
type Board = { typeKey: string; name: string | null; writes: number; hours: { hour: string; writes: number }[] }
type Counts = {
  open: number
  paused: number
  heldScores: number
  heldCheckIns: number
  heldSince: string | null
  failing: number
  disabled: number
}

/** What happens in an app, in SQL. Each statement reads along an index, and at most MAX_COUNTED rows of a kind. */
export function activityStore(db: Kysely<AnyTables>) {
  return {
    /** Days from `from` on, oldest first; with the last one before, if there is any. */
    days: async (appId: string, from: string): Promise<ActiveDay[]> => {
      const { rows } = await sql<ActiveDay>`
        select day::text as day, players from active_days
         where app_id = ${appId}
           and day >= coalesce((select max(day) from active_days where app_id = ${appId} and day < ${from}::date), ${from}::date)
         order by day`.execute(db)
      return rows
    },

    /** The boards with most writes since the start of an hour. Boards of hidden types are left out. */
    boards: async (appId: string, from: string): Promise<Board[]> => {
      const { rows } = await sql<Board>`
        select b.type_key as "typeKey", t.name, sum(b.writes) as writes,
               jsonb_agg(jsonb_build_object('hour', api_moment(b.hour), 'writes', b.writes) order by b.hour) as hours
          from board_hours b left join mini_game_types t on t.app_id = b.app_id and t.id = b.type_key
         where b.app_id = ${appId} and b.hour >= ${from} and (b.type_key = ${NO_TYPE} or t.hidden_at is null and t.id is not null)
         group by b.type_key, t.name order by 3 desc, t.name nulls first, b.type_key limit ${SHOWN}`.execute(db)
      return rows
    },

    counts: async (appId: string): Promise<Counts> => {
      const most = sql.raw(String(MAX_COUNTED))
      const { rows } = await sql<Counts>`
        select rows_counted('game_sessions', ${appId}::uuid::text || ' open') as open,
               (select count(*) from (
                 select from game_sessions where app_id = ${appId} and status = 'paused' limit ${most}) f) as paused,
               (select count(*) from (
                 select from held_scores where app_id = ${appId} and state = 'held' limit ${most}) f) as "heldScores",
               (select count(*) from (
                 select from check_ins where app_id = ${appId} and state = 'held' limit ${most}) f) as "heldCheckIns",
               api_moment(least(
                 (select created_at from held_scores where app_id = ${appId} and state = 'held' order by created_at, id limit 1),
                 (select created_at from check_ins where app_id = ${appId} and state = 'held' order by created_at, id limit 1)
               )) as "heldSince",
               w.failing, w.disabled
          from (select count(*) filter (where enabled and failing_since is not null) as failing,
                       count(*) filter (where not enabled and disabled_reason is not null) as disabled
                  from webhook_endpoints where app_id = ${appId} and deleted_at is null) w`.execute(db)
      return rows[0]!
    },

    /** Accepted check-ins of the last 24 hours, the newest MAX_COUNTED of them, and the fences with most. */
    fences: async (appId: string): Promise<AppActivity['fences']> => {
      const { rows } = await sql<AppActivity['fences']>`
        with recent as (
          select fence_id, player_id from check_ins
           where app_id = ${appId} and created_at > now() - interval '24 hours' and state = 'accepted'
           order by created_at desc, id desc limit ${MAX_COUNTED}),
        visited as (
          select f.id, f.name, count(*) as "checkIns", count(distinct r.player_id) as players
            from recent r join fences f on f.app_id = ${appId} and f.id = r.fence_id
           group by f.id, f.name order by 3 desc, f.name, f.id limit ${SHOWN})
        select (select count(*) from recent) as "checkIns",
               coalesce((select jsonb_agg(v order by v."checkIns" desc, v.name, v.id) from visited v), '[]') as visited`.execute(
        db,
      )
      return rows[0]!
    },
  }
}
export type ActivityStore = ReturnType<typeof activityStore>
