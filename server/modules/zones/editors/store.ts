import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { MAX_EDITORS, type ZoneEditor } from './schema.ts'

export type EditorStore = ReturnType<typeof editorStore>

/** The editors of zones, in SQL. Editors of a zone are added one at a time. */
export function editorStore(db: Kysely<AnyTables>, audit: AuditLog) {
  const note = (trx: Kysely<AnyTables>, actor: Actor, done: 'added' | 'removed', zoneId: number, userId: string) =>
    audit.record([{ ...actor, action: `zone_editor.${done}`, subject: `${zoneId}/${userId}` }], trx)

  return {
    /** In the order in which they became editors. */
    async list(zoneId: number): Promise<ZoneEditor[]> {
      const { rows } = await sql<ZoneEditor>`
        select user_id as "userId", created_at as "createdAt" from zone_editors
         where zone_id = ${zoneId} order by created_at, user_id`.execute(db)
      return rows
    },

    /** @returns the editor, or why there is none */
    add: (
      zoneId: number,
      userId: string,
      actor: Actor,
    ): Promise<ZoneEditor | 'no_user' | 'no_zone' | 'owner' | 'is_editor' | 'full'> =>
      db.transaction().execute(async (trx) => {
        // The user comes first, as in an erasure.
        const users = await sql`select from users where id = ${userId} for key share`.execute(trx)
        if (users.rows.length === 0) return 'no_user'
        const { rows: zones } = await sql<{ owner: string | null }>`
          select user_id as owner from zones where id = ${zoneId} for no key update`.execute(trx)
        if (!zones[0]) return 'no_zone'
        if (zones[0].owner === userId.toLowerCase()) return 'owner'
        const { rows: before } = await sql<{ count: number; has: boolean }>`
          select count(*)::int as count, coalesce(bool_or(user_id = ${userId}), false) as has
            from zone_editors where zone_id = ${zoneId}`.execute(trx)
        if (before[0]!.has) return 'is_editor'
        if (before[0]!.count >= MAX_EDITORS) return 'full'
        const { rows } = await sql<ZoneEditor>`
          insert into zone_editors (zone_id, user_id) values (${zoneId}, ${userId})
          returning user_id as "userId", created_at as "createdAt"`.execute(trx)
        await note(trx, actor, 'added', zoneId, rows[0]!.userId)
        return rows[0]!
      }),

    /** @returns whether the user was an editor */
    remove: (zoneId: number, userId: string, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ userId: string }>`
          delete from zone_editors where zone_id = ${zoneId} and user_id = ${userId}
          returning user_id as "userId"`.execute(trx)
        if (rows[0]) await note(trx, actor, 'removed', zoneId, rows[0].userId)
        return rows.length > 0
      }),
  }
}
