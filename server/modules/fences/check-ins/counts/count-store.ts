import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../../platform/database/database.ts'
import type { CheckInCounts, Span } from './count-schema.ts'

/** Counts of check-ins, in SQL. */
export function checkInCountStore(db: Kysely<AnyTables>) {
  return {
    /** Counts the accepted check-ins of an app, along an index that has all that is read. */
    async ofApp(appId: string, { from, to }: Span, limit: number): Promise<Omit<CheckInCounts, 'from' | 'to'>> {
      const { rows } = await sql<Omit<CheckInCounts, 'from' | 'to'>>`
        with of_players as materialized (
          select fence_id, player_id, count(*) as n from check_ins
           where app_id = ${appId} and state = 'accepted' and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
           group by fence_id, player_id),
        of_fences as materialized (
          select fence_id, sum(n)::bigint as n, count(*) as players from of_players group by fence_id),
        most as (
          select f.id, f.name, f.pin_id, f.zone_id, c.n, c.players
            from of_fences c join fences f on f.app_id = ${appId} and f.id = c.fence_id
           order by c.n desc, f.name, f.id limit ${limit})
        select (select coalesce(sum(n), 0)::bigint from of_fences) as total, (select count(*) from of_fences) as "fenceCount",
               coalesce((select jsonb_agg(jsonb_build_object('fenceId', m.id, 'name', m.name, 'pinId', m.pin_id,
                 'zoneId', m.zone_id, 'checkIns', m.n, 'players', m.players) order by m.n desc, m.name, m.id) from most m), '[]') as fences`.execute(
        db,
      )
      return rows[0]!
    },
  }
}
