import type pg from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { Segment } from '../segments/schema.ts'
import { defaultGame } from '../types/store.ts'
import type { RankedRow } from './assign-ranks.ts'
import { entryColumns } from './entry-sql.ts'
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

/** The scores of a hidden player `$2`, as boards would order them. */
const scores = `
  select sp.*, k.rank_key, sp.scored_at as achieved_at
    from session_players sp
    join players h on h.app_id = sp.app_id and h.id = sp.player_id and h.standing = 'hidden'
    left join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
    cross join lateral (select case when t.ascending then 0 - sp.score else sp.score end) k(rank_key)
   where sp.app_id = $1 and sp.player_id = $2 and sp.scored_at is not null`
const best = 'rank_key desc, scored_at, session_id'

const entrySql = `
  select ${entryColumns}
    from (select * from (${scores} and sp.type_key = $3) s
           where ($4::timestamptz is null or updated_at >= $4)
             and ($5::timestamptz is null or (updated_at < $5 and $5 > clock_timestamp()))
             and ($6::uuid is null or session_id = $6)
             and ($7::text is null or exists (
               select from player_attributes a
                where a.app_id = $1 and a.player_id = $2 and a.attributes ->> $7 = $8))
           order by ${best} limit 1) b
    join players p on p.app_id = b.app_id and p.id = b.player_id
    cross join lateral (select b.created_at, b.updated_at, b.session_id, b.metadata) sp`

const bestsSql = `
  select b.type_key as "typeKey", t.name as "typeName", b.score, b.rank_key as "rankKey"
    from (select distinct on (type_key) * from (${scores}) s order by type_key, ${best}) b
    left join mini_game_types t on t.app_id = b.app_id and t.id = b.type_key
   where t.hidden_at is null and (t.id is not null or b.type_key = '${defaultGame}')
   order by t.name_key nulls first`

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
