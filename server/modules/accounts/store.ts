import { type Generated, type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { lock } from '../../platform/database/locks/locks.ts'
import { foldName } from '../../platform/names.ts'
import type { Account, AccountUser } from './schema.ts'

type LocalAccountsTable = {
  user_id: string
  login: string
  login_key: string
  password_hash: string
  has_password: Generated<boolean>
  version: Generated<number>
  changed_at: Generated<string>
}
type FirstAdminLinksTable = { code_hash: string; ended_at: string | null; used: boolean }
type UsersTable = {
  id: string
  email: string | null
  claimed_roles: string[]
  granted_roles: string[]
  admin_email: string | null
  disabled_at: string | null
}
type Tables = {
  local_accounts: LocalAccountsTable
  first_admin_links: FirstAdminLinksTable
  users: UsersTable
  user_sessions: { user_id: string }
}

export type NewAccount = {
  login: string
  email: string | undefined
  passwordHash: string
  /** False if its owner sets the first one by a link. */
  hasPassword?: boolean
  roles: string[] | undefined
}
/** @property keptSession a session that does not end */
export type NewPassword = { userId: string; passwordHash: string; actor: Actor; keptSession?: string }
export type LinkState = 'live' | 'used' | 'ended' | 'unknown'

type Deps = {
  audit: AuditLog
  /** Creates or finds the local user of that login, inside the transaction. */
  saveUser: (trx: Kysely<AnyTables>, account: NewAccount) => Promise<AccountUser>
  /** Whether there is an admin of any kind. */
  hasAdmin: (trx: Kysely<AnyTables>) => Promise<boolean>
  /** Deletes the user's sign-ins at the built-in issuer, inside the transaction. */
  forgetSignIns: (trx: Kysely<AnyTables>, userId: string) => Promise<unknown>
}

/** Accounts with passwords, and the link for the first admin, in SQL. */
export function accountStore(db: Kysely<Tables>, { audit, saveUser, hasAdmin, forgetSignIns }: Deps) {
  /** Serializes the creation of accounts, so that there is one first admin. */
  const takeTurns = (trx: Kysely<Tables>) => lock(trx, 'firstAccount')

  const insertIn = async (trx: Kysely<Tables>, account: NewAccount, actorOf: (userId: string) => Actor) => {
    const user = await saveUser(trx, account)
    const { login, passwordHash, hasPassword = true } = account
    const { id: userId } = user
    await trx
      .insertInto('local_accounts')
      .values({
        user_id: userId,
        login,
        login_key: foldName(login),
        password_hash: passwordHash,
        has_password: hasPassword,
      })
      .execute()
    const roles = user.grantedRoles.join(' ')
    const changes = roles ? { roles: { from: null, to: roles } } : undefined
    await audit.record([{ ...actorOf(userId), action: 'account.created', subject: userId, changes }], trx)
    return user
  }

  /** Whether an account or an admin of any kind exists. */
  const isTaken = async (trx: Kysely<Tables>): Promise<boolean> => {
    const account = await trx.selectFrom('local_accounts').select('user_id').limit(1).executeTakeFirst()
    return account !== undefined || hasAdmin(trx)
  }

  const accounts = () =>
    db
      .selectFrom('local_accounts')
      .innerJoin('users', 'users.id', 'local_accounts.user_id')
      .select([
        'local_accounts.user_id as userId',
        'local_accounts.login',
        'users.email',
        'local_accounts.password_hash as passwordHash',
        'local_accounts.version',
        'local_accounts.has_password as hasPassword',
        sql<boolean>`users.disabled_at is not null`.as('disabled'),
      ])

  const replacePassword = async (trx: Kysely<AnyTables>, asked: NewPassword): Promise<void> => {
    const { userId, passwordHash, actor, keptSession } = asked
    await sql`
      update local_accounts
         set password_hash = ${passwordHash}, has_password = true, version = nextval('password_versions'), changed_at = now()
       where user_id = ${userId}`.execute(trx)
    await sql`delete from account_links where user_id = ${userId}`.execute(trx)
    await endSessions(trx, userId, keptSession)
    await audit.record([{ ...actor, action: 'account.password_changed', subject: userId }], trx)
  }

  /** Ends every session and sign-in of the user, but for one session. */
  const endSessions = async (trx: Kysely<AnyTables>, userId: string, keptSession?: string): Promise<void> => {
    await sql`update user_sessions set revoked_at = now()
               where user_id = ${userId} and revoked_at is null
                 and id is distinct from ${keptSession ?? null}::uuid`.execute(trx)
    await forgetSignIns(trx, userId)
  }

  /** Ends every session, sign-in and identity token of the account, and its link, inside a transaction. */
  const endAll = async (trx: Kysely<AnyTables>, userId: string): Promise<void> => {
    // In the order of replacePassword, or the two could wait for each other.
    await sql`update local_accounts set version = nextval('password_versions') where user_id = ${userId}`.execute(trx)
    await sql`delete from account_links where user_id = ${userId}`.execute(trx)
    await endSessions(trx, userId)
  }

  return {
    /** Creates an account, inside a transaction that another does not create one in. @throws a unique violation if it exists */
    insertIn: async (trx: Kysely<AnyTables>, account: NewAccount, actor: Actor): Promise<AccountUser> => {
      await takeTurns(trx as never)
      return insertIn(trx as never, account, () => actor)
    },
    /** Stores a new password, invalidates the link of the account and ends every session of the user, inside a transaction. */
    replacePassword,
    endAll,

    /** Whether an account or an admin exists. */
    anybody: () => isTaken(db),

    find: (login: string): Promise<Account | undefined> =>
      accounts().where('local_accounts.login_key', '=', foldName(login)).executeTakeFirst(),

    findOf: (userId: string): Promise<Account | undefined> =>
      accounts().where('local_accounts.user_id', '=', userId).executeTakeFirst(),

    /** Whether a session of the user has been opened, also if it has ended. */
    hasSignedIn: async (userId: string): Promise<boolean> =>
      (await db
        .selectFrom('user_sessions')
        .select('user_id')
        .where('user_id', '=', userId)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    isEmpty: async (): Promise<boolean> =>
      (await db.selectFrom('local_accounts').select('user_id').limit(1).executeTakeFirst()) === undefined,

    /** @returns the user, or undefined if the account exists */
    insert: (account: NewAccount, actor: Actor): Promise<AccountUser | undefined> =>
      db
        .transaction()
        .execute(async (trx) => {
          await takeTurns(trx)
          return insertIn(trx, account, () => actor)
        })
        .catch(undefinedWhenTaken),

    /** The same in a transaction of its own. */
    changePassword: (asked: NewPassword) => db.transaction().execute((trx) => replacePassword(trx, asked)),

    /** The same, unless the password was changed since the account was read. @returns whether it was stored */
    exchangePassword: ({ userId, version }: Account, asked: Omit<NewPassword, 'userId'>): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const same = await trx
          .selectFrom('local_accounts')
          .select('user_id')
          .where('user_id', '=', userId)
          .where('version', '=', version)
          .forUpdate()
          .executeTakeFirst()
        if (same) await replacePassword(trx, { userId, ...asked })
        return same !== undefined
      }),

    /** Stores the same password hashed with more effort, unless it was changed since. */
    replaceHash: (userId: string, old: string, passwordHash: string) =>
      db
        .updateTable('local_accounts')
        .set({ password_hash: passwordHash })
        .where('user_id', '=', userId)
        .where('password_hash', '=', old)
        .execute(),

    /** Replaces all earlier links by this one. @returns false, without change, if an account or an admin exists */
    insertLink: (codeHash: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        await takeTurns(trx)
        await endLinks(trx)
        if (await isTaken(trx)) return false
        await trx.insertInto('first_admin_links').values({ code_hash: codeHash, ended_at: null, used: false }).execute()
        return true
      }),

    linkState: async (codeHash: string): Promise<LinkState> => {
      const link = await db
        .selectFrom('first_admin_links')
        .select(['used', 'ended_at as endedAt'])
        .where('code_hash', '=', codeHash)
        .executeTakeFirst()
      if (!link) return 'unknown'
      if (link.used) return 'used'
      return link.endedAt || (await isTaken(db)) ? 'ended' : 'live'
    },

    /**
     * Uses up the link and creates the account, both or neither. @returns the user, or undefined if the link is no
     * longer valid
     */
    redeemLink: (codeHash: string, account: NewAccount, address: string): Promise<AccountUser | undefined> =>
      db
        .transaction()
        .execute(async (trx) => {
          await takeTurns(trx)
          if (await isTaken(trx)) return undefined
          const spent = await trx
            .updateTable('first_admin_links')
            .set({ used: true, ended_at: sql`now()` })
            .where('code_hash', '=', codeHash)
            .where('ended_at', 'is', null)
            .executeTakeFirst()
          if (spent.numUpdatedRows === 0n) return undefined
          return insertIn(trx, account, (userId) => ({ actor: userId, address }))
        })
        .catch(undefinedWhenTaken),
  }

  function endLinks(trx: Kysely<Tables>) {
    return trx.updateTable('first_admin_links').set({ ended_at: sql`now()` }).where('ended_at', 'is', null).execute()
  }
}
export type AccountStore = ReturnType<typeof accountStore>

function undefinedWhenTaken(error: unknown): undefined {
  if (!isUniqueViolation(error)) throw error
  return undefined
}
