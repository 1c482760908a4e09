import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { reading } from '../../../platform/database/write-tracking.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../../platform/http/pages.ts'
import type { Review } from './schema.ts'

type Filter = { state?: Review['state'] | undefined; playerId?: string | undefined; typeKey: string | undefined }

const moment = (column: string) => sql.raw(`api_moment(h.${column})`)
const shown = sql`
  h.id, h.session_id as "gameSessionId", nullif(h.type_key, '00000000-0000-0000-0000-000000000000') as "miniGameTypeId",
  h.player_id as "playerId", p.display_name as "displayName", h.score,
  case when sp.scored_at is not null then sp.score end as "currentScore", h.metadata, h.reasons, h.state, h.note,
  ${moment('created_at')} as "createdAt", ${moment('reviewed_at')} as "reviewedAt"
  from held_scores h
  join players p on p.app_id = h.app_id and p.id = h.player_id
  join session_players sp on sp.app_id = h.app_id and sp.session_id = h.session_id and sp.player_id = h.player_id`

export type ReviewStore = ReturnType<typeof reviewStore>

/** Rules and held scores, in SQL. */
export function reviewStore(db: Kysely<AnyTables>) {
  return {
    async ruledTypes(appId: string): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select id from mini_game_types where app_id = ${appId} and rules is not null`.execute(reading(db))
      return new Set(rows.map(({ id }) => id))
    },

    async typeOf(appId: string, sessionId: string): Promise<string | undefined> {
      const { rows } = await sql<{ key: string }>`
        select type_key as key from game_sessions where app_id = ${appId} and id = ${sessionId}`.execute(reading(db))
      return rows[0]?.key
    },

    /** Newest first. */
    async page(appId: string, filter: Filter, { limit, cursor }: PageQuery): Promise<Page<Review>> {
      const ofState = filter.state ? sql`and h.state = ${filter.state}` : sql``
      const ofPlayer = filter.playerId ? sql`and h.player_id = ${filter.playerId}` : sql``
      const ofType = filter.typeKey ? sql`and h.type_key = ${filter.typeKey}` : sql``
      const matching = sql`h.app_id = ${appId} ${ofState} ${ofPlayer} ${ofType}`
      const after = afterTime(cursor)
      const before = after ? sql`and (h.created_at, h.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<Review & { cursorAt: string }>`
          select h.created_at::text as "cursorAt", ${shown}
           where ${matching} ${before} order by h.created_at desc, h.id desc limit ${limit + 1}`.execute(reading(db)),
        sql<{ total: number }>`select count(*) as total from held_scores h where ${matching}`.execute(reading(db)),
      ])
      return pageByTime(rows, limit, counted.rows[0]!.total)
    },

    async get(appId: string, id: string): Promise<Review | undefined> {
      const { rows } = await sql<Review>`select ${shown} where h.app_id = ${appId} and h.id = ${id}`.execute(
        reading(db),
      )
      return rows[0]
    },
  }
}
