import { createHash, randomBytes } from 'node:crypto'
import type { Actor } from '../../platform/database/audit.ts'
import { conflict, HttpError, invalid, notFound } from '../../platform/errors.ts'
import { checkedLogin, passwordFault } from './credentials.ts'
import { english } from './page-texts/english.ts'
import type { PasswordHashes } from './password-hash.ts'
import type { Account, AccountUser } from './schema.ts'
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

  const existing = async (login: string): Promise<Account> => {
    const account = await store.find(login)
    if (!account) throw notFound(`An account with the login "${login}" was`)
    return account
  }

  return {
    find: store.find,

    /** The account, if no session of its user has been opened yet. */
    async findNew(login: string): Promise<Account | undefined> {
      const account = await store.find(login)
      return account && !(await store.hasSignedIn(account.userId)) ? account : undefined
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
      await store.changePassword(account, await passwords.make(password), actor)
      return account
    },

    /**
     * Returns the account of this login and password. If either is wrong, returns undefined, without a hint which, also
     * in time. @throws 429 after too many failed tries; 503 if too many are signing in
     */
    async signIn(login: string, password: string, address: string): Promise<Account | undefined> {
      const uncount = await tries.count(login, address)
      try {
        const account = await store.find(login)
        if (!(await passwords.fits(password, account?.passwordHash)) || !account) return undefined
        await uncount()
        if (passwords.isWeak(account.passwordHash))
          await store.replaceHash(account.userId, account.passwordHash, await passwords.make(password))
        return account
      } catch (error) {
        // The password was not checked.
        if (error instanceof HttpError && error.status === 503) await uncount()
        throw error
      }
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

const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')
const taken = (login: string) => conflict(`There is already an account with the login "${login}"`)
const faulty = (member: string, message: string) => invalid([{ code: 'custom', message, path: [member] }])

function loginOf(text: string): string {
  try {
    return checkedLogin(text)
  } catch (error) {
    throw faulty('login', (error as Error).message)
  }
}
