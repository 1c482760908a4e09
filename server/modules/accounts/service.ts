import { randomBytes } from 'node:crypto'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { conflict, HttpError, invalid, notFound } from '../../platform/errors.ts'
import { checkedLogin, hashOfCode, passwordFault } from './credentials.ts'
import { english } from './page-texts/english.ts'
import type { PasswordHashes } from './password-hash.ts'
import type { Account, AccountUser, PasswordChange } from './schema.ts'
import { AccountDisabled } from './sign-in/account-disabled.ts'
import type { SignInThrottle } from './sign-in/sign-in-throttle.ts'
import type { AccountStore, LinkState } from './store.ts'

type Deps = {
  store: AccountStore
  passwords: PasswordHashes
  tries: SignInThrottle
  /** Gives the user this username if it is free and the user has none. */
  claimUsername: (user: AccountUser, username: string) => Promise<AccountUser>
}

type AccountWish = { login: string; password: string; email?: string | undefined; roles?: string[] | undefined }

export type AccountService = ReturnType<typeof accountService>

/** Local accounts with passwords. */
export function accountService({ store, passwords, tries, claimUsername }: Deps) {
  const checked = async ({ login: wished, password, email, roles }: AccountWish) => {
    const login = loginOf(wished)
    const fault = passwordFault(password, login)
    if (fault) throw faulty('password', english.faults[fault])
    return { login, email, roles, passwordHash: await passwords.make(password) }
  }

  /**
   * Returns what `work` does while one try is counted, which is taken back unless the password is wrong (undefined).
   * @throws 429 after too many failed tries
   */
  const tried = async <Result>(login: string, address: string, work: () => Promise<Result | undefined>) => {
    const uncount = await tries.count(login, address)
    try {
      const result = await work()
      if (result !== undefined) await uncount()
      return result
    } catch (error) {
      // The password was not checked.
      if (error instanceof HttpError && error.status === 503) await uncount()
      throw error
    }
  }

  const existing = async (login: string): Promise<Account> => {
    const account = await store.find(login)
    if (!account) throw notFound(`An account with the login "${login}" was`)
    return account
  }

  return {
    find: store.find,

    /** The account of this login, unless it is disabled. */
    async findActive(login: string): Promise<Account | undefined> {
      const account = await store.find(login)
      return account?.disabled ? undefined : account
    },

    /** The account, if no session of its user has been opened yet. */
    async findNew(login: string): Promise<Account | undefined> {
      const account = await store.find(login)
      return account && !account.disabled && !(await store.hasSignedIn(account.userId)) ? account : undefined
    },

    isEmpty: store.isEmpty,

    /**
     * Creates an account. If the operator created a local user of that name before, the account belongs to it. Omitted
     * roles stay unchanged. @throws 400 if the login or password is not valid; 409 if the account exists
     */
    async add(wish: AccountWish, actor: Actor): Promise<{ user: AccountUser; login: string }> {
      const account = await checked(wish)
      const user = await store.insert(account, actor)
      if (!user) throw taken(account.login)
      return { user: await claimUsername(user, account.login), login: account.login }
    },

    /** Changes the password and ends every session of the user. @throws 400, 404 */
    async changePassword(login: string, password: string, actor: Actor): Promise<Account> {
      const account = await existing(login)
      const fault = passwordFault(password, account.login)
      if (fault) throw faulty('password', english.faults[fault])
      await store.changePassword({ userId: account.userId, passwordHash: await passwords.make(password), actor })
      return account
    },

    /**
     * Changes the password of the caller, who knows the present one, and ends the other sessions. @throws 400, also for
     * a wrong password; 409 without an account; 429 after too many wrong ones; 503
     */
    async changeOwnPassword({ currentPassword, newPassword }: PasswordChange, caller: UserCaller, actor: Actor) {
      const account = await store.findOf(caller.id)
      if (!account) throw conflict('You have no password here: you sign in at your identity provider')
      const fault = passwordFault(newPassword, account.login)
      if (fault) throw faulty('newPassword', english.faults[fault])
      const fits = () => passwords.fits(currentPassword, account.passwordHash)
      const isRight = await tried(account.login, actor.address ?? '', async () => (await fits()) || undefined)
      if (!isRight) throw faulty('currentPassword', 'This is not your current password')
      const passwordHash = await passwords.make(newPassword)
      if (!(await store.exchangePassword(account, { passwordHash, actor, keptSession: caller.sessionId })))
        throw conflict('Your password was changed at the same time: try again with the present one')
    },

    /**
     * Returns the account of this login and password. If either is wrong, returns undefined, without a hint which, also
     * in time. @throws 403 if the account is disabled; 429 after too many failed tries; 503 if too many are signing in
     */
    async signIn(login: string, password: string, address: string): Promise<Account | undefined> {
      const account = await tried(login, address, async () => {
        const found = await store.find(login)
        return (await passwords.fits(password, found?.passwordHash)) ? found : undefined
      })
      if (account?.disabled) throw new AccountDisabled()
      if (account && passwords.isWeak(account.passwordHash))
        await store.replaceHash(account.userId, account.passwordHash, await passwords.make(password))
      return account
    },

    /**
     * Creates the code of a new one-time link for the first admin and invalidates earlier ones. Only its hash is
     * stored. @returns undefined if an account or an admin exists
     */
    async newFirstAdminCode(): Promise<string | undefined> {
      const code = randomBytes(32).toString('base64url')
      return (await store.insertLink(hashOf(code))) ? code : undefined
    },

    /** Whether an account or an admin of any kind exists. */
    anybody: store.anybody,

    firstAdminLink: (code: string): Promise<LinkState> => store.linkState(hashOf(code)),

    /**
     * Creates the first admin, once. @throws 400 if the login or password is not valid; 409 if the link is no longer
     * valid
     */
    async makeFirstAdmin(code: string, wish: AccountWish, address: string): Promise<Account> {
      const account = { ...(await checked(wish)), roles: ['admin'] }
      const user = await store.redeemLink(hashOf(code), account, address)
      if (!user) throw conflict('This link was used: sign in with the account that it created')
      await claimUsername(user, account.login)
      return existing(account.login)
    },
  }
}

/** How the code of a link for the first admin is stored. */
const hashOf = (code: string) => hashOfCode(code).toString('base64url')
/** 409 for a login that another account has. */
export const taken = (login: string) => conflict(`There is already an account with the login "${login}"`)
/** 400 for a member of the body. */
export const faulty = (member: string, message: string) => invalid([{ code: 'custom', message, path: [member] }])

/** @throws 400 if the login is not valid */
export function loginOf(text: string): string {
  try {
    return checkedLogin(text)
  } catch (error) {
    throw faulty('login', (error as Error).message)
  }
}
