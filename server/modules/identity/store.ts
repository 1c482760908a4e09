import { type Kysely, sql } from 'kysely'
import { inBatches } from '../../platform/database/query/batches.ts'

type UserSessionsTable = {
  id: string
  user_id: string
  limited: boolean
  created_at: string
  expires_at: string
  revoked_at: string | null
}
type Tables = { user_sessions: UserSessionsTable }

/** When a token was issued and when it expires, in whole seconds of the database's clock. */
export type TokenTimes = { issuedAt: string; expiresAt: string }

const ISSUED = sql<string>`date_trunc('second', clock_timestamp())`
/** A token lasts 12 hours. */
const EXPIRES = sql<string>`${ISSUED} + interval '12 hours'`
/** Maximum lifetime in days of a session created with a code. */
const CODE_DAYS = 30

const BATCH = 5000

/** Sessions, in SQL. @param days lifetime of a session after its sign-in, renewals included */
export function sessionStore(db: Kysely<Tables>, { days }: { days: number }) {
  const ends = sql<string>`date_trunc('second', created_at) + make_interval(days => case when limited then ${Math.min(days, CODE_DAYS)}::int else ${days}::int end)`
  const isLive = sql<boolean>`revoked_at is null and expires_at > now() and ${ends} > now()`
  const live = () => db.selectFrom('user_sessions').where(isLive)

  return {
    /** Waits for a change of the user, so that none which disables it misses this session. @returns undefined if it is disabled */
    insert: async (id: string, userId: string): Promise<TokenTimes | undefined> => {
      const { rows } = await sql<TokenTimes>`
        insert into user_sessions (id, user_id, limited, created_at, expires_at)
        select ${id}::uuid, u.id, false, ${ISSUED}, ${EXPIRES} from users u
         where u.id = ${userId} and u.disabled_at is null for share
        returning created_at as "issuedAt", expires_at as "expiresAt"`.execute(db)
      return rows[0]
    },

    /** The owner of an active session. */
    find: (id: string): Promise<{ userId: string; limited: boolean } | undefined> =>
      live().select(['user_id as userId', 'limited']).where('id', '=', id).executeTakeFirst(),

    /** Which of these sessions are active. */
    async left(ids: string[]): Promise<Set<string>> {
      const rows = await live().select('id').where('id', 'in', ids).execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Extends an active session for another token; undefined if it is no longer active. */
    renew: (id: string): Promise<TokenTimes | undefined> =>
      db
        .updateTable('user_sessions')
        .set({ expires_at: sql`least(${EXPIRES}, ${ends})` })
        .where('id', '=', id)
        .where(isLive)
        .returning([ISSUED.as('issuedAt'), 'expires_at as expiresAt'])
        .executeTakeFirst(),

    revoke: (id: string) =>
      db.updateTable('user_sessions').set({ revoked_at: sql`now()` }).where('id', '=', id).execute(),

    /** Ends all sessions, in batches. */
    async revokeAll(): Promise<void> {
      const { at } = await db.selectNoFrom(sql<string>`clock_timestamp()`.as('at')).executeTakeFirstOrThrow()
      const ids = live().select('id').where('created_at', '<=', at).limit(BATCH)
      const revoked = db.updateTable('user_sessions').set({ revoked_at: sql`now()` }).where('id', 'in', ids)
      await inBatches(BATCH, async () => (await revoked.executeTakeFirstOrThrow()).numUpdatedRows)
    },

    /** Deletes sessions that ended more than 30 days ago, in batches. */
    async deleteOld(): Promise<void> {
      const ids = db
        .selectFrom('user_sessions')
        .select('id')
        .where('expires_at', '<', sql<string>`now() - interval '30 days'`)
        .limit(BATCH)
      const deleted = db.deleteFrom('user_sessions').where('id', 'in', ids)
      await inBatches(BATCH, async () => (await deleted.executeTakeFirstOrThrow()).numDeletedRows)
    },
  }
}
export type SessionStore = ReturnType<typeof sessionStore>
