import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../../platform/http/pages.ts'
import { MAX_COUNTED } from '../../../platform/schema.ts'
import type { CheckIn, CheckInFilter } from './schema.ts'

export type CheckInStore = ReturnType<typeof checkInStore>

/** Check-ins, in SQL. */
export function checkInStore(db: Kysely<AnyTables>) {
  return {
    /** Newest first. */
    async page(
      appId: string,
      { state, fenceId, playerId, limit, cursor }: CheckInFilter & PageQuery,
    ): Promise<Page<CheckIn>> {
      const after = afterTime(cursor)
      const matching = sql.join(
        [
          sql`c.app_id = ${appId}`,
          ...(state ? [sql`c.state = ${state}`] : []),
          ...(fenceId ? [sql`c.fence_id = ${fenceId}`] : []),
          ...(playerId ? [sql`c.player_id = ${playerId}`] : []),
        ],
        sql` and `,
      )
      const before = after ? sql`and (c.created_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<{ shown: CheckIn; id: string; cursorAt: string }>`
          select check_in_json(c) as shown, c.id, c.created_at::text as "cursorAt" from check_ins c
           where ${matching} ${before} order by c.created_at desc, c.id desc limit ${limit + 1}`.execute(db),
        sql<{ total: number }>`
          select count(*) as total from (select from check_ins c where ${matching} limit ${MAX_COUNTED}) as counted`.execute(
          db,
        ),
      ])
      const page = pageByTime(rows, limit, counted.rows[0]!.total)
      return { ...page, rows: page.rows.map(({ shown }) => shown) }
    },

    /** The check-in that a fix has made already. */
    async ofFix(appId: string, playerId: string, fenceId: string, at: string): Promise<CheckIn | undefined> {
      const { rows } = await sql<{ shown: CheckIn }>`
        select check_in_json(c) as shown from check_ins c
         where c.app_id = ${appId} and c.player_id = ${playerId} and c.fence_id = ${fenceId} and c.fix_at = ${at}::timestamptz`.execute(
        db,
      )
      return rows[0]?.shown
    },

    /** Whether points belong to members of the app who may place its content. */
    async ownsPoints(appId: string, gcpIds: number[]): Promise<boolean> {
      const { rows } = await sql<{ owned: number }>`
        select count(*)::int as owned from gcps g
         where g.id = any (${gcpIds}::bigint[]) and g.user_id in (select app_developers(${appId}::uuid))`.execute(db)
      return rows[0]!.owned === gcpIds.length
    },

    async get(appId: string, id: string): Promise<CheckIn | undefined> {
      const { rows } = await sql<{ shown: CheckIn }>`
        select check_in_json(c) as shown from check_ins c where c.app_id = ${appId} and c.id = ${id}`.execute(db)
      return rows[0]?.shown
    },

    async isBanned(appId: string, playerId: string): Promise<boolean> {
      const { rows } = await sql`
        select from players where app_id = ${appId} and id = ${playerId} and standing = 'banned'`.execute(db)
      return rows.length > 0
    },

    /** The session of an app's awards of a mini game type. */
    async awardSession(appId: string, typeKey: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        select session_id as id from fence_awards where app_id = ${appId} and type_key = ${typeKey}`.execute(db)
      return rows[0]?.id
    },

    /** @returns the session of awards: this one, or another process's; undefined if it was deleted just now */
    async keepAwardSession(appId: string, typeKey: string, sessionId: string): Promise<string | undefined> {
      await sql`
        insert into fence_awards (app_id, type_key, session_id) values (${appId}, ${typeKey}, ${sessionId})
        on conflict do nothing`.execute(db)
      const { rows } = await sql<{ id: string }>`
        select session_id as id from fence_awards where app_id = ${appId} and type_key = ${typeKey}`.execute(db)
      return rows[0]?.id
    },
  }
}
