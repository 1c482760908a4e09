import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'

/** A link that has not expired. */
export type StoredLink = { userId: string; login: string; madeBy: string | null }

export type LinkStore = ReturnType<typeof linkStore>

/** Links that set the password of an account, in SQL. */
export function linkStore(db: Kysely<AnyTables>) {
  return {
    /** Replaces the link of the account. A first password can be set for seven days, another for one. @returns when it expires */
    async put(trx: Kysely<AnyTables>, link: { userId: string; hash: Buffer; madeBy: string | null }): Promise<string> {
      const { rows } = await sql<{ expiresAt: string }>`
        insert into account_links (user_id, hash, made_by, created_at, expires_at)
        select a.user_id, ${link.hash}, ${link.madeBy}, now(), now() + make_interval(days => case when a.has_password then 1 else 7 end)
          from local_accounts a where a.user_id = ${link.userId}
        on conflict (user_id) do update
          set hash = excluded.hash, made_by = excluded.made_by, created_at = excluded.created_at, expires_at = excluded.expires_at
        returning expires_at as "expiresAt"`.execute(trx)
      return rows[0]!.expiresAt
    },

    async find(hash: Buffer, trx: Kysely<AnyTables> = db): Promise<StoredLink | undefined> {
      const { rows } = await sql<StoredLink>`
        select l.user_id as "userId", a.login, l.made_by as "madeBy"
          from account_links l join local_accounts a on a.user_id = l.user_id
         where l.hash = ${hash} and l.expires_at > clock_timestamp()`.execute(trx)
      return rows[0]
    },

    /** Waits for other changes of the account's password, until the transaction ends. */
    async holdAccount(trx: Kysely<AnyTables>, userId: string): Promise<void> {
      await sql`select from local_accounts where user_id = ${userId} for update`.execute(trx)
    },

    /** Deletes expired links. */
    async removeExpired(): Promise<void> {
      await sql`delete from account_links where expires_at <= clock_timestamp()`.execute(db)
    },

    transaction: <Result>(work: (trx: Kysely<AnyTables>) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(work),
  }
}
