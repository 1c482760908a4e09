import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { countUpTo } from '../../../platform/database/row-counts.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../../platform/http/pages.ts'
import type { LocalAccount } from './managed-schema.ts'

/** An account as listed; the state of its sign-ins is elsewhere. */
export type ListedAccount = {
  id: string
  login: string
  email: string | null
  username: string | null
  grantedRoles: LocalAccount['roles']
  hasPassword: boolean
  disabled: boolean
  lastSignInAt: string | null
  linkExpiresAt: string | null
  createdAt: string
}

// Roles of local users are all granted here, none claimed.
const columns = sql`
  a.user_id as id, a.login, u.email, u.username, u.granted_roles as "grantedRoles", a.has_password as "hasPassword",
  u.disabled_at is not null as disabled, l.expires_at as "linkExpiresAt", a.created_at as "createdAt",
  (select max(s.created_at) from user_sessions s where s.user_id = a.user_id and not s.limited) as "lastSignInAt"`
const tables = sql`
  local_accounts a join users u on u.id = a.user_id
  left join account_links l on l.user_id = a.user_id and l.expires_at > clock_timestamp()`

export type ManagedAccountStore = ReturnType<typeof managedAccountStore>

/** Accounts as ops and admins see them, in SQL. */
export function managedAccountStore(db: Kysely<AnyTables>) {
  return {
    /** Oldest first. @param search part of a login, username or address, ignoring case */
    async page({ limit, cursor }: PageQuery, search: string | undefined): Promise<Page<ListedAccount>> {
      const after = afterTime(cursor)
      const found = search
        ? sql`position(lower(${search}) in lower(concat_ws(chr(10), a.login, u.username, u.email))) > 0`
        : sql`true`
      const rest = after ? sql`(a.created_at, a.user_id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`
      const [{ rows }, total] = await Promise.all([
        sql<ListedAccount & { cursorAt: string }>`
          select ${columns}, a.created_at::text as "cursorAt" from ${tables} where ${found} and ${rest}
           order by a.created_at, a.user_id limit ${limit + 1}`.execute(db),
        countUpTo(db, sql`(select from local_accounts a join users u on u.id = a.user_id where ${found}) as accounts`),
      ])
      return pageByTime(rows, limit, total)
    },

    async get(id: string): Promise<ListedAccount | undefined> {
      const { rows } = await sql<ListedAccount>`select ${columns} from ${tables} where a.user_id = ${id}`.execute(db)
      return rows[0]
    },

    /** Whether the user has an account, inside a transaction. */
    async has(trx: Kysely<AnyTables>, id: string): Promise<boolean> {
      return (await sql`select from local_accounts where user_id = ${id}`.execute(trx)).rows.length > 0
    },

    transaction: <Result>(work: (trx: Kysely<AnyTables>) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(work),
  }
}
