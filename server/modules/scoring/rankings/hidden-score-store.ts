import type pg from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { RankedRow } from '../leaderboards/assign-ranks.ts'
import { entryColumns } from '../leaderboards/entry-sql.ts'
import type { Segment } from '../segments/schema.ts'
import { defaultGame } from '../types/store.ts'
import type { Best } from './ranking-store.ts'

/** What the scores of a hidden player are searched by. */
type Where = {
  appId: string
  playerId: string
  typeKey: string
  /** The period of the board. One that has ended does not change, so nothing is found. */
  period?: { startsAt: string; endsAt: string | null } | undefined
  sessionId?: string
  segment?: Segment | undefined
}

/** What counts of the scores of a hidden player `$2` in each type. @param which the scores `sp` to count */
const counted = (which: string) => `
  select s.app_id, s.player_id, s.type_key, t.name, t.name_key, t.id, t.hidden_at, c.*
    from (select sp.app_id, sp.player_id, sp.type_key,
                 array_agg(row(sp.score, sp.session_id, sp.scored_at, sp.created_at, sp.updated_at, sp.metadata)::session_score)
            from session_players sp
            join players h on h.app_id = sp.app_id and h.id = sp.player_id and h.standing = 'hidden'
           where sp.app_id = $1 and sp.player_id = $2 and sp.scored_at is not null ${which}
           group by 1, 2, 3) s(app_id, player_id, type_key, scores)
    left join mini_game_types t on t.app_id = s.app_id and t.id = s.type_key
    cross join lateral counted_score(coalesce(t.score_mode, 'best'), coalesce(t.ascending, false), s.scores) c`

const entrySql = `
  select ${entryColumns}
    from (${counted(`and sp.type_key = $3
             and ($4::timestamptz is null or sp.updated_at >= $4)
             and ($5::timestamptz is null or (sp.updated_at < $5 and $5 > clock_timestamp()))
             and ($6::uuid is null or sp.session_id = $6)
             and ($7::text is null or exists (
               select from player_attributes a
                where a.app_id = $1 and a.player_id = $2 and a.attributes ->> $7 = $8))`)}) b
    join players p on p.app_id = b.app_id and p.id = b.player_id
    cross join lateral (select b.joined_at as created_at, b.written_at as updated_at, b.session_id, b.metadata) sp`

const bestsSql = `
  select b.type_key as "typeKey", b.name as "typeName", b.score, b.rank_key as "rankKey"
    from (${counted('')}) b
   where b.hidden_at is null and (b.id is not null or b.type_key = '${defaultGame}')
   order by b.name_key nulls first`

/** The scores of a hidden player, for that player: no board has them. */
export function hiddenScoreStore(pool: pg.Pool, written: OwnUrls['written']) {
  return {
    /** The entry that the player would have on a board; undefined if it is not hidden or has no score there. */
    async entry({ appId, playerId, typeKey, period, sessionId, segment }: Where): Promise<RankedRow | undefined> {
      const values = [
        appId,
        playerId,
        typeKey,
        period?.startsAt,
        period?.endsAt,
        sessionId,
        segment?.name,
        segment?.value,
      ]
      const { rows } = await pool.query<RankedRow>({ name: 'hidden_entry', text: entrySql, values })
      const [row] = rows
      return row && { ...row, playerImageUrl: written(row.playerImageUrl) }
    },

    /** The player's bests of all types: the default game first, then types by name. */
    bests: async (appId: string, playerId: string): Promise<Best[]> =>
      (await pool.query<Best>({ name: 'hidden_bests', text: bestsSql, values: [appId, playerId] })).rows,
  }
}
export type HiddenScoreStore = ReturnType<typeof hiddenScoreStore>
