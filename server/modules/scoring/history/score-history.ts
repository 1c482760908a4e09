import { type Kysely, sql } from 'kysely'
import type { Viewer } from '../../../platform/credentials/callers.ts'
import { notFound } from '../../../platform/errors.ts'
import { afterTime, cutPage, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import type { PlayerScoreStore } from '../player-scores/player-score-store.ts'
import type { ScoreFilter } from '../schema.ts'
import { shownMetadata } from '../scores/metadata.ts'
import type { ScoreMetadata } from '../scores/schema.ts'
import { visibleTo } from '../scores/visible-scores.ts'
import type { GameTypes } from '../types/service.ts'
import type { PastScore } from './schema.ts'

type Deps = {
  db: Kysely<Record<never, never>>
  types: Pick<GameTypes, 'keyOf'>
  hasPlayer: PlayerScoreStore['hasPlayer']
}
type Row = Omit<PastScore, 'metadata'> & { metadata: ScoreMetadata | null; cursorAt: string }

/** Scores are counted up to this number. */
const COUNTED = 10_000

/** Every score that was written for a player: the current ones, and those that were replaced or removed. */
export function scoreHistory({ db, types, hasPlayer }: Deps) {
  return {
    /** The score written last first; none of a hidden player, unless the viewer may see them. @throws 404 for an unknown player or type */
    async page(
      appId: string,
      playerId: string,
      { miniGameTypeId, miniGameTypeName, limit, cursor }: PageQuery & ScoreFilter,
      viewer: Viewer,
    ): Promise<Page<PastScore>> {
      const typeKey = await types.keyOf(appId, { miniGameTypeId, miniGameTypeName })
      const after = afterTime(cursor)
      const isVisible = visibleTo(viewer, appId, playerId)
      const all = (most: number, from: typeof after) => {
        const part = (table: string, writtenAt: string, columns: string, which: string) => sql`(
          select ${sql.raw(`v.session_id, v.type_key, v.score, v.metadata, v.${writtenAt} as written_at, ${columns}`)}
            from ${sql.raw(table)} v
           where v.app_id = ${appId} and v.player_id = ${playerId} ${sql.raw(which)} ${isVisible}
             ${typeKey ? sql`and v.type_key = ${typeKey}` : sql``}
             ${from ? sql`and (${sql.raw(`v.${writtenAt}, v.session_id`)}) < (${from.at}::timestamptz, ${from.id}::uuid)` : sql``}
           order by ${sql.raw(`v.${writtenAt}`)} desc, v.session_id desc limit ${most})`
        return sql`(
          ${part('session_players', 'updated_at', 'null::timestamptz as replaced_at', 'and v.scored_at is not null')}
          union all ${part('score_history', 'written_at', 'v.replaced_at', '')}) v`
      }
      const [{ rows }, counted] = await Promise.all([
        sql<Row>`
          select v.session_id as "gameSessionId", t.id as "miniGameTypeId", t.name as "miniGameTypeName", v.score,
                 v.metadata, v.written_at as "writtenAt", v.replaced_at as "replacedAt", v.written_at::text as "cursorAt"
            from ${all(limit + 1, after)}
            left join mini_game_types t on t.app_id = ${appId} and t.id = v.type_key
           order by v.written_at desc, v.session_id desc limit ${limit + 1}`.execute(db),
        sql<{
          total: number
        }>`select least(count(*), ${COUNTED}::int) as total from ${all(COUNTED, undefined)}`.execute(db),
      ])
      const { total } = counted.rows[0]!
      if (total === 0 && !(await hasPlayer(appId, playerId))) throw notFound('Player')
      const page = cutPage(rows, limit, ({ cursorAt, gameSessionId }) => [cursorAt, gameSessionId])
      const shown = page.rows.map(({ cursorAt, metadata, ...score }) => ({ ...score, ...shownMetadata(metadata) }))
      return { rows: shown, next: page.next, total }
    },
  }
}
export type ScoreHistory = ReturnType<typeof scoreHistory>
