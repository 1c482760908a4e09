import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../../platform/concurrency/cache-entries.ts'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import { hasOpsAccess, isAdmin } from '../../platform/credentials/guards.ts'
import type { KeyState } from '../../platform/credentials/signing-keys.ts'
import type { Tokens } from '../../platform/credentials/tokens.ts'
import { unauthorized } from '../../platform/errors.ts'
import { isListed, rolesOf as rolesInEffect } from '../users/roles.ts'
import type { NewUser, User } from '../users/schema.ts'
import type { Identity, IdentityTokens } from './identity-token.ts'
import type { SignedInUser } from './schema.ts'
import type { SessionStore, TokenTimes } from './store.ts'

const ENDED = 'This session has ended: sign in again'
const DISABLED = 'This user is disabled or was deleted: ask an admin of this Cairn'

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

  /**
   * Whether a session is active and what its user may do. Cached for less than a second, query time included, so that a
   * sign-out, role change or erasure takes effect in every process within a second.
   */
  const callers = new LRUCache<string, { caller: UserCaller | undefined }>({ ...cacheEntries(10_000), ttl: 750 })

  const callerOf = async (sessionId: string, userId: string): Promise<UserCaller | undefined> => {
    const known = callers.get(sessionId)
    if (known) return known.caller?.id === userId ? known.caller : undefined
    const start = performance.now()
    const [session, user] = await Promise.all([sessions.find(sessionId), users.get(userId)])
    if (session && session.userId !== userId) return undefined
    const limited = session?.limited ?? false
    const caller =
      session && user && !user.disabled ? { id: userId, sessionId, roles: rolesOf(user, limited), limited } : undefined
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
    if (!times) throw unauthorized(DISABLED)
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
    /** Opens a session for the user of an identity token; a new person becomes a user. @throws 401, 503 */
    exchange: async (identityToken: string): Promise<SignIn> =>
      open(await save(await identityTokens.verify(identityToken))),

    /** Opens a session for an existing user, for the operator's command line. */
    openFor: (user: User): Promise<SignIn> => open(user),

    /** Issues another token for the same session; signing out ends all of its tokens. @throws 401 */
    async renew(sessionToken: string): Promise<SignIn> {
      const caller = await this.findUser(sessionToken)
      const [times, user] = await Promise.all([sessions.renew(caller.sessionId), users.get(caller.id)])
      if (!times || !user) throw unauthorized(ENDED)
      return signIn({ id: caller.sessionId, limited: caller.limited, ...times }, user)
    },

    /** Ends this session; its tokens stop working everywhere within a second. */
    async signOut(sessionId: string) {
      await sessions.revoke(sessionId)
      callers.delete(sessionId)
    },

    /**
     * Returns the caller of a session token. @throws 401 if the token is not valid, has expired, or its session was
     * signed out
     */
    async findUser(sessionToken: string): Promise<UserCaller> {
      const { sessionId, userId } = await tokens.verify(sessionToken)
      const caller = await callerOf(sessionId, userId)
      if (!caller) throw unauthorized(ENDED)
      return caller
    },

    /**
     * Publishes the next signing key without ending sessions. With `now`, for a leaked key, the current keys stop
     * working within seconds and everyone must sign in again. @throws a sentence if the next key is already published
     */
    async rotateKeys({ now }: { now: boolean }): Promise<KeyState[]> {
      const keys = await tokens.keys.rotate({ now })
      if (now) await sessions.revokeAll()
      return keys
    },

    listKeys: (): Promise<KeyState[]> => tokens.keys.list(),
  }
}
