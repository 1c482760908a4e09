import { type Kysely, sql } from 'kysely'

type UserSessionsTable = {
  id: string
  user_id: string
  created_at: string
  expires_at: string
  revoked_at: string | null
}
type Tables = { user_sessions: UserSessionsTable }

/** Sign-ins, in SQL. */
export function sessionStore(db: Kysely<Tables>) {
  return {
    insert: (id: string, userId: string, expiresAt: string) =>
      db
        .insertInto('user_sessions')
        .values({ id, user_id: userId, created_at: sql`now()`, expires_at: expiresAt })
        .execute(),

    isLive: async (id: string): Promise<boolean> =>
      (await db
        .selectFrom('user_sessions')
        .select('id')
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()) !== undefined,

    revoke: (id: string) =>
      db.updateTable('user_sessions').set({ revoked_at: sql`now()` }).where('id', '=', id).execute(),
  }
}
export type SessionStore = ReturnType<typeof sessionStore>
