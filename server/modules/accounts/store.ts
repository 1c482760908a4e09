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
}
type Tables = {
  local_accounts: LocalAccountsTable
  first_admin_links: FirstAdminLinksTable
  users: UsersTable
  user_sessions: { user_id: string }
}

export type NewAccount = { login: string; email: string | undefined; passwordHash: string; roles: string[] | undefined }
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
    const { login, passwordHash } = account
    const { id: userId } = user
    await trx
      .insertInto('local_accounts')
      .values({ user_id: userId, login, login_key: foldName(login), password_hash: passwordHash })
      .execute()
    await audit.record([{ ...actorOf(userId), action: 'account.created', subject: userId }], trx)
    return user
  }

  /** Whether an account or an admin of any kind exists. */
  const isTaken = async (trx: Kysely<Tables>): Promise<boolean> => {
    const account = await trx.selectFrom('local_accounts').select('user_id').limit(1).executeTakeFirst()
    return account !== undefined || hasAdmin(trx)
  }

  return {
    /** Whether an account or an admin exists. */
    anybody: () => isTaken(db),

    find: (login: string): Promise<Account | undefined> =>
      db
        .selectFrom('local_accounts')
        .innerJoin('users', 'users.id', 'local_accounts.user_id')
        .select([
          'local_accounts.user_id as userId',
          'local_accounts.login',
          'users.email',
          'local_accounts.password_hash as passwordHash',
          'local_accounts.version',
        ])
        .where('local_accounts.login_key', '=', foldName(login))
        .executeTakeFirst(),

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

    /** Stores a new password and ends every session and sign-in of the user. */
    changePassword: (account: Account, passwordHash: string, actor: Actor) =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('local_accounts')
          .set({ password_hash: passwordHash, version: sql`nextval('password_versions')`, changed_at: sql`now()` })
          .where('user_id', '=', account.userId)
          .execute()
        await sql`update user_sessions set revoked_at = now() where user_id = ${account.userId} and revoked_at is null`.execute(
          trx,
        )
        await forgetSignIns(trx, account.userId)
        await audit.record([{ ...actor, action: 'account.password_changed', subject: account.userId }], trx)
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
