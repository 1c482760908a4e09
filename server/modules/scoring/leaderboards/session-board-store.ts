import type pg from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { Place } from '../ranks/tops/kept-top.ts'
import type { RankedRow } from './assign-ranks.ts'
import { entryColumns } from './entry-sql.ts'
import type { LeaderboardEntry } from './schema.ts'

/** Written scores of players that are not hidden. */
const written = `sp.app_id = $1 and sp.session_id = $2 and sp.scored_at is not null
  and sp.player_id <> all (array(select h.id from players h where h.app_id = $1 and h.standing <> 'normal'))`

const sessionBoardSql = `
  select ${entryColumns}, b.ranking
    from (select sp.*, k.rank_key, tie_order($8, sp.scored_at) as achieved_at, rank() over (order by k.rank_key desc) as ranking
            from session_players sp
            cross join lateral (select case when $3 then 0 - sp.score else sp.score end) k(rank_key)
           where ${written}) b
    join players p on p.app_id = b.app_id and p.id = b.player_id
    cross join lateral (select b.created_at, b.updated_at, b.session_id, b.metadata) sp
   where $5::float8 is null or b.rank_key < $5
      or (b.rank_key = $5 and (b.achieved_at, b.player_id) > ($6::timestamptz, $7::uuid))
   order by b.rank_key desc, b.achieved_at, b.player_id
   limit $4`
const aboveSql = `
  select count(*) as above from session_players sp
   where ${written} and (case when $3 then 0 - sp.score else sp.score end) > $4::float8`
const countSql = `select count(*) as total from session_players sp where ${written}`

/** `mode`: the column score_mode of its type. */
type Session = { appId: string; sessionId: string; ascending: boolean; mode: string }

/** The leaderboard of one game session, in SQL: a session is small enough to be sorted at each request. */
export function sessionBoardStore(pool: pg.Pool, written: OwnUrls['written']) {
  return {
    /** Written scores alone, ranked among each other; from the top, or after a place. */
    async page({ appId, sessionId, ascending, mode }: Session, limit: number, after: Place | undefined) {
      const values = [appId, sessionId, ascending, limit, after?.rankKey, after?.achievedAt, after?.playerId, mode]
      const [{ rows }, counted] = await Promise.all([
        pool.query<RankedRow & Pick<LeaderboardEntry, 'ranking'>>({
          name: 'session_board',
          text: sessionBoardSql,
          values,
        }),
        pool.query<{ total: number }>({ name: 'session_scores', text: countSql, values: [appId, sessionId] }),
      ])
      for (const row of rows) row.playerImageUrl = written(row.playerImageUrl)
      return { rows, total: counted.rows[0]!.total }
    },

    /** How many scores of the session are better than a rank key. */
    async above({ appId, sessionId, ascending }: Session, rankKey: number): Promise<number> {
      const values = [appId, sessionId, ascending, rankKey]
      return (await pool.query<{ above: number }>({ name: 'session_above', text: aboveSql, values })).rows[0]!.above
    },
  }
}
export type SessionBoardStore = ReturnType<typeof sessionBoardStore>
