import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../../platform/concurrency/cache-entries.ts'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import { PERSONAL_TOKEN_PREFIX } from '../../platform/credentials/personal-tokens.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { notFound, unauthorized } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { CreatedPersonalToken, NewPersonalToken } from './schema.ts'
import type { PersonalTokenStore } from './store.ts'

/** Milliseconds for which a token is accepted or refused without a query: its end takes effect within a second. */
const REMEMBERED_MS = 750

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** The personal tokens of users. */
export function personalTokenService(store: PersonalTokenStore) {
  const callers = new LRUCache<string, { caller: UserCaller | undefined }>({
    ...cacheEntries(10_000),
    ttl: REMEMBERED_MS,
  })

  const read = async (hash: Buffer): Promise<UserCaller | undefined> => {
    const found = await store.find(hash)
    // Limited, and without the roles of its user: a program may leak its token.
    return found && { id: found.userId, sessionId: found.id, roles: [], limited: true, scope: found.scope }
  }

  return {
    list: store.list,
    left: store.left,

    /** @throws 409 for one too many */
    async create(userId: string, asked: NewPersonalToken, actor: Actor): Promise<CreatedPersonalToken> {
      const token = PERSONAL_TOKEN_PREFIX + randomBytes(32).toString('base64url')
      return { ...(await store.insert(newId(), userId, hashOf(token), asked, actor)), token }
    },

    /** @throws 404 */
    async remove(id: string, userId: string, actor: Actor): Promise<void> {
      if (!(await store.remove(id, userId, actor))) throw notFound('Personal token')
    },

    /** The user that a token acts for. Queries the database at most once in 750 ms for each token. @throws 401 */
    async findUser(token: string): Promise<UserCaller> {
      const hash = hashOf(token)
      const key = hash.toString('base64')
      let known = callers.get(key)
      if (!known) {
        const start = performance.now()
        known = { caller: await read(hash) }
        callers.set(key, known, { start })
      }
      if (!known.caller) throw unauthorized('This personal token was deleted or has expired: create another one')
      return known.caller
    },
  }
}
export type PersonalTokenService = ReturnType<typeof personalTokenService>
