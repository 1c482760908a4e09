import { sql } from 'kysely'
import type { Viewer } from '../../../platform/credentials/callers.ts'
import type { Database } from '../../../platform/database/database.ts'
import { namedRead } from '../../../platform/database/query/named-read.ts'
import { afterTime, cutPage, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import { selectList } from '../../../platform/records/columns.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { GameSessionPlayer } from '../schema.ts'
import { placeFields, shownPlayerFields } from './player-record.ts'
import { presentPlayer, type SessionPlayerRow } from './present-player.ts'

/** The score of a hidden player shows as none was written, unless the viewer may see it. */
const scoreFor = ({ seesAll, hiddenPlayer }: Viewer) => {
  const isShown = sql`(p.standing = 'normal' or p.id = ${hiddenPlayer ?? null}::uuid)`
  return seesAll
    ? sql`sp.score, sp.metadata`
    : sql`case when ${isShown} then sp.score else 0 end as score, case when ${isShown} then sp.metadata end as metadata`
}

const sessionPlayer = (viewer: Viewer) => sql`
  select ${scoreFor(viewer)}, ${selectList(placeFields, 'sp')}, sp.player_id as "playerId",
         ${selectList(shownPlayerFields, 'p')}, p.user_id as "userId", u.username, sp.created_at::text as "cursorAt"
    from session_players sp
    join players p on p.app_id = sp.app_id and p.id = sp.player_id
    left join users u on u.id = p.user_id`

type Row = SessionPlayerRow & { cursorAt: string }

/** Who plays in the game sessions of one app at a time, in SQL. Scores are written elsewhere: scores/score-repository.ts. */
export function sessionPlayerStore(
  { kysely: db, reading }: Pick<Database, 'kysely' | 'reading'>,
  written: OwnUrls['written'],
) {
  const asSessionPlayer = (row: Row): GameSessionPlayer => presentPlayer(row, written)

  return {
    /** @returns `ok` when the player was registered now, `again` when it was before */
    async register(appId: string, sessionId: string, playerId: string) {
      const { rows } = await sql<{ outcome: 'ok' | 'again' | 'no_session' | 'no_player' | 'not_running' | 'banned' }>`
        select register_player(${appId}, ${sessionId}, ${playerId}) as outcome`.execute(db)
      return rows[0]!.outcome
    },

    /** In the order they joined, then by player id. */
    async page(
      appId: string,
      sessionId: string,
      { limit, cursor }: PageQuery,
      viewer: Viewer,
    ): Promise<Page<GameSessionPlayer>> {
      const ofSession = sql`sp.app_id = ${appId} and sp.session_id = ${sessionId}`
      const after = afterTime(cursor)
      const later = after
        ? sql`and (sp.created_at, sp.player_id) > (${after.at}::timestamptz, ${after.id}::uuid)`
        : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<Row>`${sessionPlayer(viewer)} where ${ofSession} ${later}
          order by sp.created_at, sp.player_id limit ${limit + 1}`.execute(db),
        sql<{ total: number }>`select count(*) as total from session_players sp where ${ofSession}`.execute(db),
      ])
      const page = cutPage(rows, limit, ({ cursorAt, playerId }) => [cursorAt, playerId])
      return { rows: page.rows.map(asSessionPlayer), next: page.next, total: counted.rows[0]!.total }
    },

    async get(
      appId: string,
      sessionId: string,
      playerId: string,
      viewer: Viewer,
    ): Promise<GameSessionPlayer | undefined> {
      const [row] = await namedRead(
        reading,
        viewer.seesAll ? 'session_player' : 'session_player_shown',
        sql<Row>`${sessionPlayer(viewer)}
          where sp.app_id = ${appId} and sp.session_id = ${sessionId} and sp.player_id = ${playerId}`,
      )
      return row && asSessionPlayer(row)
    },
  }
}
export type SessionPlayerStore = ReturnType<typeof sessionPlayerStore>
