import { type Kysely, sql } from 'kysely'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { foldName } from '../../platform/names.ts'
import type { NewUser, User } from './schema.ts'
import { type UsersTable, userColumns } from './users-table.ts'

type Tables = { users: UsersTable }

/** What an operator sets on a local user; omitted members stay unchanged. */
export type LocalUserWish = { roles?: string[] | undefined; email?: string | undefined }

/** Users, in SQL. A user is identified by (issuer, subject). */
export function userStore(db: Kysely<Tables>) {
  const get = (id: string): Promise<User | undefined> =>
    db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()

  const claimUsername = async (id: string, username: string): Promise<User | undefined> => {
    const key = foldName(username)
    await sql`update users set username = ${username}, username_key = ${key}
               where id = ${id} and not exists (select from users where username_key = ${key})`
      .execute(db)
      .catch(unlessTaken)
    return get(id)
  }

  return {
    /**
     * Creates the user or updates what the issuer claims; the claimed roles are valid for `claimDays` days. A wished
     * username is set only if it is free and the user has none.
     */
    upsert: async (id: string, user: NewUser, { claimDays }: { claimDays: number }): Promise<User> => {
      const facts = {
        email: user.email,
        first_name: user.firstName,
        last_name: user.lastName,
        phone_number: user.phoneNumber,
        image_url: user.imageUrl,
        claimed_roles: user.claimedRoles,
        claims_end: sql<string>`now() + make_interval(days => ${claimDays}::int)`,
      }
      const saved = await db
        .insertInto('users')
        .values({ id, issuer: user.issuer, subject: user.subject, ...facts, granted_roles: [], created_at: sql`now()` })
        .onConflict((on) => on.columns(['issuer', 'subject']).doUpdateSet(facts))
        .returning(userColumns)
        .executeTakeFirstOrThrow()
      return (saved.username === null && user.username && (await claimUsername(saved.id, user.username))) || saved
    },

    /**
     * Creates or updates the operator's local user `name`. Its roles are granted, so no sign-in changes them. Omitted
     * members stay unchanged.
     */
    upsertLocal: async (id: string, name: string, given: LocalUserWish): Promise<User> => {
      const facts = {
        ...(given.roles ? { granted_roles: given.roles } : {}),
        ...(given.email ? { email: given.email } : {}),
      }
      return db
        .insertInto('users')
        .values({
          id,
          issuer: 'local',
          subject: name,
          claimed_roles: [],
          granted_roles: [],
          created_at: sql`now()`,
          ...facts,
        })
        .onConflict((on) => on.columns(['issuer', 'subject']).doUpdateSet({ issuer: 'local', ...facts }))
        .returning(userColumns)
        .executeTakeFirstOrThrow()
    },

    /** Sets the username if it is free and the user has none. @returns the user afterwards */
    claimUsername: async (user: User, username: string): Promise<User> =>
      user.username === null ? ((await claimUsername(user.id, username)) ?? user) : user,

    get,

    getLocal: (name: string): Promise<User | undefined> =>
      db
        .selectFrom('users')
        .select(userColumns)
        .where('issuer', '=', 'local')
        .where('subject', '=', name)
        .executeTakeFirst(),

    /** Binds a listed admin address to the first user that proves it; later users get nothing. */
    bindAdminEmail: async (id: string, email: string) => {
      await sql`update users set admin_email = ${email} where id = ${id} and admin_email is null
          and not exists (select from users where admin_email = ${email})`
        .execute(db)
        .catch(unlessTaken)
    },
  }
}

/** If two users claim one name or address at the same instant, the second goes without. */
function unlessTaken(error: unknown) {
  if (!isUniqueViolation(error)) throw error
}
