import { LRUCache } from 'lru-cache'
import { unauthorized } from '../../platform/errors.ts'
import { hasOpsAccess, isAdmin, type UserCaller } from '../../platform/guards.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { NewUser, User } from '../users/schema.ts'
import type { Identity, IdentityTokens } from './identity-token.ts'
import type { SignedInUser } from './schema.ts'
import type { SessionStore } from './store.ts'

/** Seconds a session token lasts. */
const LIFETIME = 12 * 60 * 60

export type SignIn = { user: SignedInUser; token: string; expiryTime: string }

type Parts = {
  sessions: SessionStore
  tokens: Tokens
  identityTokens: IdentityTokens
  newId: () => string
  adminEmails: string[]
  users: {
    save: (user: NewUser) => Promise<User>
    get: (id: string) => Promise<User | undefined>
    bindAdminEmail: (id: string, email: string) => Promise<unknown>
  }
}

export type IdentityService = ReturnType<typeof identityService>

export function identityService({ sessions, tokens, identityTokens, newId, adminEmails, users }: Parts) {
  const isAdminEmail = (email: string | null) =>
    email !== null && adminEmails.some((listed) => listed.toLowerCase() === email.toLowerCase())

  const rolesOf = (user: User): string[] => [
    ...new Set([...user.claimedRoles, ...user.grantedRoles, ...(isAdminEmail(user.adminEmail) ? ['admin'] : [])]),
  ]

  /** Whether a session lives and what its user may do, a second old at most: so a revocation holds everywhere within that second. */
  const callers = new LRUCache<string, { caller: UserCaller | undefined }>({ max: 10_000, ttl: 1000 })

  const callerOf = async (sessionId: string, userId: string): Promise<UserCaller | undefined> => {
    const known = callers.get(sessionId)
    if (known) return known.caller
    const [live, user] = await Promise.all([sessions.isLive(sessionId), users.get(userId)])
    const caller = live && user ? { id: userId, sessionId, roles: rolesOf(user), limited: false } : undefined
    callers.set(sessionId, { caller })
    return caller
  }

  const shown = (user: User): SignedInUser => {
    const roles = rolesOf(user)
    const caller = { id: user.id, sessionId: '', roles, limited: false }
    const { id, email, firstName, lastName } = user
    return { id, email, firstName, lastName, roles, isAdmin: isAdmin(caller), hasOpsAccess: hasOpsAccess(caller) }
  }

  const open = async (user: User): Promise<SignIn> => {
    const sessionId = newId()
    const expiresAt = Math.floor(Date.now() / 1000) + LIFETIME
    const expiryTime = new Date(expiresAt * 1000).toISOString()
    await sessions.insert(sessionId, user.id, expiryTime)
    const token = await tokens.issue({ userId: user.id, sessionId, roles: rolesOf(user), expiresAt })
    return { user: shown(user), token, expiryTime }
  }

  const save = async (identity: Identity): Promise<User> => {
    const { emailProven, roles, ...facts } = identity
    const user = await users.save({ ...facts, claimedRoles: roles })
    if (!emailProven || !isAdminEmail(user.email) || user.adminEmail) return user
    await users.bindAdminEmail(user.id, user.email!.toLowerCase())
    return (await users.get(user.id))!
  }

  return {
    /** Opens a session for the person an identity token names; a person seen for the first time becomes a user. @throws 401, 503 */
    exchange: async (identityToken: string): Promise<SignIn> =>
      open(await save(await identityTokens.verify(identityToken))),

    /** Opens a session for a user that exists: the operator's own way in, from the command line. */
    openFor: (user: User): Promise<SignIn> => open(user),

    /** A new session token for a live one. @throws 401 */
    async renew(sessionToken: string): Promise<SignIn> {
      const caller = await this.findUser(sessionToken)
      const user = await users.get(caller.id)
      if (!user) throw unauthorized('This user was deleted')
      return open(user)
    },

    /** Ends the session: its token counts nowhere after a second. */
    async signOut(sessionId: string) {
      await sessions.revoke(sessionId)
      callers.delete(sessionId)
    },

    /** The caller of a session token. @throws 401 when it is not valid, has ended, or was signed out. */
    async findUser(sessionToken: string): Promise<UserCaller> {
      const { sessionId, userId } = await tokens.verify(sessionToken)
      const caller = await callerOf(sessionId, userId)
      if (!caller) throw unauthorized('This session was ended: sign in again')
      return caller
    },
  }
}
