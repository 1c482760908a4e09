import type { Pool } from 'pg'
import type { Fix } from '../matching/fix.ts'
import type { PlayerOfApp } from './store.ts'

type Deps = {
  pool: Pool
  /** A keyed hash of a fix. */
  markOf: (appId: string, fix: Fix) => string
}

/** A fix is shared if this many other players have sent it. */
export const SHARED_BY = 3
const KEPT = "interval '1 hour'"
const REMOVED_AT_A_TIME = 5000

export type SharedFixes = ReturnType<typeof sharedFixes>

/** The fixes with which players have entered fences in the last hour, as keyed hashes, in SQL. */
export function sharedFixes({ pool, markOf }: Deps) {
  return {
    /**
     * Notes fixes, and returns those that several other players have sent. Each is noted before any are counted, so of players who
     * send one at the same moment, in any process, at most SHARED_BY are not found.
     */
    async note(sent: (PlayerOfApp & { fix: Fix })[]): Promise<Set<Fix>> {
      if (sent.length === 0) return new Set()
      const columns = [
        sent.map(({ appId }) => appId),
        sent.map(({ playerId }) => playerId),
        sent.map(({ appId, fix }) => markOf(appId, fix)),
      ]
      await pool.query({
        name: 'fixes_noted',
        text: `
          insert into entering_fixes (app_id, player_id, mark)
          select p.app_id, p.id, i.mark from unnest($1::uuid[], $2::uuid[], $3::text[]) i(app, player, mark)
            join players p on p.app_id = i.app and p.id = i.player
           order by 1, 2, 3 for key share of p
          on conflict do nothing`,
        values: columns,
      })
      const { rows } = await pool.query<{ n: number }>({
        name: 'fixes_shared',
        text: `
          select i.n::int as n from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality i(app, player, mark, n)
           where (select count(*) from (
                    select from entering_fixes f
                     where f.app_id = i.app and f.mark = i.mark and f.player_id <> i.player
                       and f.at > clock_timestamp() - ${KEPT} limit ${SHARED_BY}) others) = ${SHARED_BY}`,
        values: columns,
      })
      return new Set(rows.map(({ n }) => sent[n - 1]!.fix))
    },

    /** Removes those that no longer count. */
    async removeOld(): Promise<void> {
      const text = `
        delete from entering_fixes where ctid = any(array(
          select ctid from entering_fixes where at < clock_timestamp() - ${KEPT} order by at limit ${REMOVED_AT_A_TIME}))`
      while (((await pool.query(text)).rowCount ?? 0) >= REMOVED_AT_A_TIME);
    },
  }
}
