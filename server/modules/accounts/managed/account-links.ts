import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { hashOfCode, passwordFault } from '../credentials.ts'
import { english } from '../page-texts/english.ts'
import type { PasswordHashes } from '../password-hash.ts'
import type { AccountUser } from '../schema.ts'
import { faulty } from '../service.ts'
import type { AccountStore } from '../store.ts'
import type { LinkStore, StoredLink } from './link-store.ts'
import type { AccountLink } from './managed-schema.ts'
import { mayChange } from './may-change.ts'

type Deps = {
  store: LinkStore
  accounts: Pick<AccountStore, 'replacePassword'>
  passwords: PasswordHashes
  users: {
    getIn: (trx: Kysely<AnyTables>, id: string) => Promise<AccountUser | undefined>
    /** Keeps the roles of all users as they are until the transaction ends. */
    lockRoles: (trx: Kysely<AnyTables>) => Promise<unknown>
    rolesOf: (user: AccountUser) => string[]
  }
  database: Kysely<AnyTables>
  publicUrl: () => string
}

export type AccountLinks = ReturnType<typeof accountLinks>

/** Links with which the owner of an account sets its password. Each works once. */
export function accountLinks({ store, accounts, passwords, users, database, publicUrl }: Deps) {
  /** The link of this code. It stops working when the account is disabled, or its maker may no longer change the account. */
  const working = async (code: string, trx: Kysely<AnyTables>): Promise<StoredLink | undefined> => {
    const link = await store.find(hashOfCode(code), trx)
    if (!link) return undefined
    const owner = await users.getIn(trx, link.userId)
    if (!owner || owner.disabled) return undefined
    // Made on the command line.
    if (link.madeBy === null) return link
    const maker = await users.getIn(trx, link.madeBy)
    if (!maker || maker.disabled) return undefined
    return mayChange(users.rolesOf(maker), users.rolesOf(owner)) ? link : undefined
  }

  return {
    /** Creates the link of an account and invalidates the one before, inside a transaction. @param madeBy null for the operator */
    async create(trx: Kysely<AnyTables>, userId: string, madeBy: string | null): Promise<AccountLink> {
      const code = randomBytes(32).toString('base64url')
      const expiresAt = await store.put(trx, { userId, hash: hashOfCode(code), madeBy })
      return { url: `${publicUrl()}/set-password?code=${code}`, expiresAt }
    },

    /** The login that a link sets the password of; undefined if it was used or replaced, has expired or never existed. */
    loginOf: async (code: string): Promise<string | undefined> => (await working(code, database))?.login,

    /** Uses up the link and sets the password, both or neither. @returns the login, or undefined as above @throws 400 for the password */
    async redeem(code: string, password: string, address: string): Promise<string | undefined> {
      const link = await working(code, database)
      if (!link) return undefined
      const fault = passwordFault(password, link.login)
      if (fault) throw faulty('password', english.faults[fault])
      const passwordHash = await passwords.make(password)
      return store.transaction(async (trx) => {
        await users.lockRoles(trx)
        await store.holdAccount(trx, link.userId)
        const { userId } = (await working(code, trx)) ?? {}
        if (userId !== link.userId) return undefined
        await accounts.replacePassword(trx, { userId, passwordHash, actor: { actor: userId, address } })
        return link.login
      })
    },

    removeExpired: store.removeExpired,
  }
}
