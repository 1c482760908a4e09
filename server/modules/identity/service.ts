import { LRUCache } from 'lru-cache'
import { hasOpsAccess, isAdmin, type UserCaller } from '../../platform/credentials/guards.ts'
import type { KeyState } from '../../platform/credentials/signing-keys.ts'
import type { Tokens } from '../../platform/credentials/tokens.ts'
import { unauthorized } from '../../platform/errors.ts'
import { isListed, rolesOf as rolesInEffect } from '../users/roles.ts'
import type { NewUser, User } from '../users/schema.ts'
import type { Identity, IdentityTokens } from './identity-token.ts'
import type { SignedInUser } from './schema.ts'
import type { SessionStore, TokenTimes } from './store.ts'

const ENDED = 'This session has ended: sign in again'

export type SignIn = { user: SignedInUser; token: string; expiryTime: string }

type OpenSession = TokenTimes & { id: string; limited: boolean }

type Deps = {
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

export function identityService({ sessions, tokens, identityTokens, newId, adminEmails, users }: Deps) {
  const isAdminEmail = (email: string | null) => isListed(email, adminEmails)
  const rolesOf = (user: User, limited = false): string[] => (limited ? [] : rolesInEffect(user, adminEmails))

  /** Whether a session lives and what its user may do. Kept for less than a second, the query's own time included: so a sign-out, a role change or an erasure holds in every process within that second. */
  const callers = new LRUCache<string, { caller: UserCaller | undefined }>({ max: 10_000, ttl: 750 })

  const callerOf = async (sessionId: string, userId: string): Promise<UserCaller | undefined> => {
    const known = callers.get(sessionId)
    if (known) return known.caller?.id === userId ? known.caller : undefined
    const start = performance.now()
    const [session, user] = await Promise.all([sessions.find(sessionId), users.get(userId)])
    if (session && session.userId !== userId) return undefined
    const limited = session?.limited ?? false
    const caller = session && user ? { id: userId, sessionId, roles: rolesOf(user, limited), limited } : undefined
    callers.set(sessionId, { caller }, { start })
    return caller
  }

  const shown = (user: User, limited: boolean): SignedInUser => {
    const roles = rolesOf(user, limited)
    const caller = { id: user.id, sessionId: '', roles, limited }
    const { id, email, firstName, lastName } = user
    return { id, email, firstName, lastName, roles, isAdmin: isAdmin(caller), hasOpsAccess: hasOpsAccess(caller) }
  }

  const signIn = async ({ id, limited, issuedAt, expiresAt }: OpenSession, user: User): Promise<SignIn> => {
    const token = await tokens.issue({
      userId: user.id,
      sessionId: id,
      roles: rolesOf(user, limited),
      issuedAt: Date.parse(issuedAt) / 1000,
      expiresAt: Date.parse(expiresAt) / 1000,
    })
    return { user: shown(user, limited), token, expiryTime: expiresAt }
  }

  const open = async (user: User): Promise<SignIn> => {
    const id = newId()
    const times = await sessions.insert(id, user.id)
    return signIn({ id, limited: false, ...times }, user)
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

    /** Another token for the same session, which goes on: signing out ends all of its tokens. @throws 401 */
    async renew(sessionToken: string): Promise<SignIn> {
      const caller = await this.findUser(sessionToken)
      const [times, user] = await Promise.all([sessions.renew(caller.sessionId), users.get(caller.id)])
      if (!times || !user) throw unauthorized(ENDED)
      return signIn({ id: caller.sessionId, limited: caller.limited, ...times }, user)
    },

    /** Ends this one session: none of its tokens counts anywhere after a second. */
    async signOut(sessionId: string) {
      await sessions.revoke(sessionId)
      callers.delete(sessionId)
    },

    /** The caller of a session token. @throws 401 when it is not valid, has ended, or was signed out. */
    async findUser(sessionToken: string): Promise<UserCaller> {
      const { sessionId, userId } = await tokens.verify(sessionToken)
      const caller = await callerOf(sessionId, userId)
      if (!caller) throw unauthorized(ENDED)
      return caller
    },

    /** Publishes the next signing key, which logs nobody out; with `now`, for a key that leaked, the present keys stop counting within seconds and everybody must sign in again.
     * @throws a sentence when the next key is waiting already */
    async rotateKeys({ now }: { now: boolean }): Promise<KeyState[]> {
      const keys = await tokens.keys.rotate({ now })
      if (now) await sessions.revokeAll()
      return keys
    },

    listKeys: (): Promise<KeyState[]> => tokens.keys.list(),
  }
}
