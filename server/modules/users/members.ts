import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import { BATCH_ROWS, type JsonArray, type LongPage, longPage } from '../../platform/database/bulk/long-page.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { lock } from '../../platform/database/locks/locks.ts'
import { namedLike } from '../../platform/database/query/name-search.ts'
import { countedRows, totalOf } from '../../platform/database/row-counts.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import { foldName } from '../../platform/names.ts'
import { isoTimeOf } from '../../platform/records/columns.ts'
import { KNOWN_ROLES, rolesOf } from './roles.ts'
import type { Profile, Role, User } from './schema.ts'
import { type UsersTable, userColumns } from './users-table.ts'

type Tables = { users: UsersTable }

/** A user and its roles, which nobody else changes until the transaction ends. */
export type HeldUser = { user: User; roles: Role[]; isLastAdmin: boolean }

/**
 * Whether the user can be an admin by `rolesOf`; only the settings say if a bound address is still listed. Must match
 * the index users_admins.
 */
const mayBeAdmin = sql<boolean>`('admin' = any (claimed_roles) or 'admin' = any (granted_roles) or admin_email is not null)`

/** The words indexed by 0004_users.sql. */
const names = {
  table: 'users',
  alias: 'users',
  text: sql`user_text(username, email, first_name, last_name)`,
  words: [
    'from_word(lower(username), 1)',
    'from_word(lower(username), 2)',
    'from_word(lower(email), 1)',
    "from_word(lower(split_part(email, '@', 2)), 1)",
    'from_word(lower(full_name(first_name, last_name)), 1)',
    'from_word(lower(full_name(first_name, last_name)), 2)',
    'from_word(lower(last_name), 1)',
  ],
} as const

type Deps = { bulk: Kysely<AnyTables>; audit: AuditLog; adminEmails: string[] }

/** Whether any user is an admin, or would be with other settings. */
export async function hasAdmin(trx: Kysely<AnyTables>): Promise<boolean> {
  const { rows } = await sql`select from users where ${mayBeAdmin} limit 1`.execute(trx)
  return rows.length > 0
}

/** Users, as they and the operators see and change them, in SQL. */
export function memberStore(db: Kysely<Tables>, { bulk, audit, adminEmails }: Deps) {
  const isAdmin = (user: User) => rolesOf(user, adminEmails).includes('admin')

  /** The user, while the roles of all users stay as they are until the transaction ends. @returns undefined if there is none */
  const held = async (trx: Kysely<Tables>, id: string): Promise<HeldUser | undefined> => {
    // Serializes changes that might remove the last admin.
    await lock(trx, 'roles')
    const user = await trx.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
    if (!user) return undefined
    const roles = rolesOf(user, adminEmails)
    if (!roles.includes('admin')) return { user, roles, isLastAdmin: false }
    const others = await trx
      .selectFrom('users')
      .select(userColumns)
      .where('id', '<>', id)
      .where('disabled_at', 'is', null)
      .where(mayBeAdmin)
      // Who has not set the first password of an account may never do so.
      .where(sql<boolean>`not exists (select from local_accounts a where a.user_id = users.id and not a.has_password)`)
      .execute()
    return { user, roles, isLastAdmin: !others.some(isAdmin) }
  }

  const listing = async ({ limit, cursor }: PageQuery, search: string | undefined) => {
    const after = afterTime(cursor)
    const named = search ? await namedLike(db, names, await countedRows(db, 'users'), search) : undefined
    const found = db.selectFrom('users').$if(named !== undefined, (query) => query.where(named!))
    const listed = found
      .select(sql<string>`created_at::text`.as('cursorAt'))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, id) > (${after?.at}::timestamptz, ${after?.id}::uuid)`),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit + 1)
    return { listed, counting: totalOf(db, { table: 'users' }, { named }, sql`(${found}) as found`) }
  }

  const shortPage = async ({ limit }: PageQuery, { listed, counting }: Awaited<ReturnType<typeof listing>>) => {
    const [rows, total] = await Promise.all([listed.select(userColumns).execute(), counting])
    return pageByTime(rows, limit, total)
  }

  /** The members of `Member`, with the roles that `rolesOf` gives. */
  const membersJson = (ids: RawBuilder<unknown>) => sql<JsonArray>`
    select json_agg(row_to_json(shown) order by place) as text
      from unnest(${ids}) with ordinality as wanted (id, place)
      join users u on u.id = wanted.id
     cross join lateral (
           select case when u.claims_end > now() then u.claimed_roles || u.granted_roles else u.granted_roles end as named,
                  -- Bound addresses are in lower case.
                  coalesce(u.admin_email = any (${adminEmails.map((email) => email.toLowerCase())}), false) as "isListed") as roles
     cross join lateral (
           select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName",
                  u.phone_number as "phoneNumber", u.username, ${isoTimeOf('u.created_at')} as "createdAt",
                  u.image_url as "imageUrl",
                  array(select role from unnest(${KNOWN_ROLES}::text[]) as role
                         where role = any (named) or role = 'admin' and "isListed") as roles) as shown`

  return {
    held,

    /** Disables or enables the user, inside a transaction. */
    setDisabled: async (trx: Kysely<AnyTables>, id: string, isDisabled: boolean): Promise<void> => {
      await sql`update users set disabled_at = ${isDisabled ? sql`now()` : null} where id = ${id}`.execute(trx)
    },

    /** Sets or removes the email address, inside a transaction. */
    setEmail: async (trx: Kysely<AnyTables>, id: string, email: string | null): Promise<void> => {
      await sql`update users set email = ${email} where id = ${id}`.execute(trx)
    },

    get: (id: string): Promise<User | undefined> =>
      db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst(),

    /** @returns undefined if there is no such user, 'taken' if another user has the name */
    setUsername: (id: string, username: string): Promise<Profile | 'taken' | undefined> =>
      db
        .updateTable('users')
        .set({ username, username_key: foldName(username) })
        .where('id', '=', id)
        .returning(userColumns)
        .executeTakeFirst()
        .catch((error) => {
          if (isUniqueViolation(error)) return 'taken' as const
          throw error
        }),

    /** Oldest first. @param search matches usernames, addresses and names, ignoring case */
    page: async (query: PageQuery, search: string | undefined): Promise<Page<User>> =>
      shortPage(query, await listing(query, search)),

    /** The same; if long, as the JSON of members. */
    async list(query: PageQuery, search: string | undefined): Promise<Page<User> | LongPage> {
      const { limit } = query
      const mayBeLong = limit > BATCH_ROWS && (await countedRows(db, 'users')) > BATCH_ROWS
      const asked = await listing(query, search)
      if (!mayBeLong || (await asked.counting) <= BATCH_ROWS) return shortPage(query, asked)
      return longPage(db, bulk, {
        limit,
        total: await asked.counting,
        keys: asked.listed.select('id'),
        jsonOf: membersJson,
      })
    },

    /**
     * Replaces the granted roles. @returns undefined if there is no such user; 'last_admin', without change, if no
     * admin would be left
     */
    grant: (id: string, roles: Role[], actor: Actor): Promise<User | 'last_admin' | undefined> =>
      db.transaction().execute(async (trx) => {
        const before = await held(trx, id)
        if (!before) return undefined
        const after = { ...before.user, grantedRoles: [...new Set(roles)] }
        if (before.isLastAdmin && !isAdmin(after)) return 'last_admin' as const
        const changed = await trx
          .updateTable('users')
          .set({ granted_roles: after.grantedRoles })
          .where('id', '=', id)
          .executeTakeFirst()
        if (changed.numUpdatedRows === 0n) return undefined
        const changes = {
          roles: { from: before.roles.join(' ') || null, to: rolesOf(after, adminEmails).join(' ') || null },
        }
        await audit.record([{ ...actor, action: 'user.roles_changed', subject: id, changes }], trx)
        return after
      }),
  }
}
export type MemberStore = ReturnType<typeof memberStore>
