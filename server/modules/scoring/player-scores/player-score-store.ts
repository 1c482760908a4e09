import { type Kysely, sql } from 'kysely'
import type { Viewer } from '../../../platform/credentials/callers.ts'
import { reading } from '../../../platform/database/write-tracking.ts'
import { afterTime, cutPage, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import type { PlayerScore } from '../schema.ts'
import { shownMetadata } from '../scores/metadata.ts'
import type { ScoreMetadata } from '../scores/schema.ts'
import { visibleTo } from '../scores/visible-scores.ts'

/** The written scores of one player of one app, in SQL. */
export function playerScoreStore(db: Kysely<Record<never, never>>) {
  return {
    /** By when the player joined, the latest first; none of a hidden player, unless the viewer may see them. @param typeKey those of one type; undefined: of all */
    async page(
      appId: string,
      playerId: string,
      typeKey: string | undefined,
      { limit, cursor }: PageQuery,
      viewer: Viewer,
    ): Promise<Page<PlayerScore>> {
      const ofType = typeKey ? sql`and sp.type_key = ${typeKey}` : sql``
      const isVisible = visibleTo(viewer, appId, playerId)
      const matching = sql`sp.app_id = ${appId} and sp.player_id = ${playerId} and sp.scored_at is not null ${ofType}
        ${isVisible}`
      const after = afterTime(cursor)
      const before = after
        ? sql`and (sp.created_at, sp.session_id) < (${after.at}::timestamptz, ${after.id}::uuid)`
        : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<Omit<PlayerScore, 'metadata'> & { metadata: ScoreMetadata | null; cursorAt: string }>`
          select sp.session_id as "gameSessionId", g.name as "gameSessionName", t.id as "miniGameTypeId",
                 t.name as "miniGameTypeName", sp.score, sp.metadata, sp.created_at as "createdAt",
                 sp.updated_at as "updatedAt", sp.created_at::text as "cursorAt"
            from session_players sp
            join game_sessions g on g.app_id = sp.app_id and g.id = sp.session_id
            left join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
           where ${matching} ${before}
           order by sp.created_at desc, sp.session_id desc limit ${limit + 1}`.execute(db),
        sql<{ total: number }>`select count(*) as total from session_players sp where ${matching}`.execute(db),
      ])
      const page = cutPage(rows, limit, ({ cursorAt, gameSessionId }) => [cursorAt, gameSessionId])
      const shown = page.rows.map(({ cursorAt, metadata, ...score }) => ({ ...score, ...shownMetadata(metadata) }))
      return { rows: shown, next: page.next, total: counted.rows[0]!.total }
    },

    hasPlayer: async (appId: string, playerId: string): Promise<boolean> => {
      const { rows } = await sql`select from players where app_id = ${appId} and id = ${playerId}`.execute(reading(db))
      return rows.length > 0
    },
  }
}
export type PlayerScoreStore = ReturnType<typeof playerScoreStore>
