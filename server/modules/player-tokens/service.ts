import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../../platform/concurrency/cache-entries.ts'
import type { AppCaller, PlayerCaller, UserCaller } from '../../platform/credentials/callers.ts'
import type { Issuance, PlayerTokens } from '../../platform/credentials/player-tokens.ts'
import { forbidden, HttpError, notFound, unauthorized } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import type { NewPlayerToken, PlayerToken } from './schema.ts'
import type { PlayerTokenStore } from './store.ts'

/** Milliseconds for which a token is accepted without a query, even if its key, session or player ends in that time. */
const REMEMBERED_MS = 750

/** The caller that requests a token: an app with a server key, or a user. */
type Asker = { app: AppCaller | undefined; user: UserCaller | undefined }

/** The tokens of players. */
export function playerTokenService({ store, tokens }: { store: PlayerTokenStore; tokens: PlayerTokens }) {
  const alive = new LRUCache<string, { isHidden: boolean }>({ ...cacheEntries(10_000), ttl: REMEMBERED_MS })

  const issuanceOf = ({ app, user }: Asker, playersUser: string | null): Issuance => {
    if (app?.kind === 'server') return { keyId: app.keyId }
    if (playersUser !== user!.id) throw forbidden('This player belongs to another user')
    return { sessionId: user!.sessionId }
  }

  return {
    /** @throws 403 for a player of another user and for a banned one, 404 for one of another app */
    async issue(asker: Asker, { playerId, lifetimeSeconds }: NewPlayerToken): Promise<PlayerToken> {
      const player = isId(playerId) ? await store.player(playerId) : undefined
      if (!player || (asker.app && asker.app.id !== player.appId)) throw notFound('Player')
      const issuedWith = issuanceOf(asker, player.userId)
      if (player.isBanned) throw forbidden('This player is banned and gets no token')
      const claims = { playerId: playerId.toLowerCase(), appId: player.appId, issuedWith }
      const { token, expiryTime } = await tokens.issue(claims, lifetimeSeconds)
      return { playerToken: token, expiryTime }
    },

    /**
     * The player of a token. Queries the database at most once in 750 ms for each token. @throws 401 if the token is not
     * valid, belongs to another app, or its player, key or session has ended; 403 if the player is banned
     */
    async find(token: string, app: AppCaller): Promise<PlayerCaller> {
      const claims = await tokens.verify(token)
      if (claims.appId !== app.id) throw unauthorized('This player token belongs to another app than the API key')
      let known = alive.get(token)
      if (!known) {
        const start = performance.now()
        const standing = await store.standing(claims)
        if (!standing) throw unauthorized('This player token is no longer valid: request a new one')
        if (standing === 'banned') throw forbidden('This player is banned')
        known = { isHidden: standing === 'hidden' }
        alive.set(token, known, { start })
      }
      return { id: claims.playerId, ...known }
    },

    /** Which of these tokens still work. */
    async left(given: string[]): Promise<Set<string>> {
      const verified = await Promise.all(
        given.map(async (token) => ({ token, claims: await tokens.verify(token).catch(ignoreRefusal) })),
      )
      const valid = verified.flatMap(({ token, claims }) => (claims ? [{ token, claims }] : []))
      const left = await store.left(valid.map(({ claims }) => claims))
      return new Set(left.map((n) => valid[n]!.token))
    },
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof HttpError)) throw error
}

export type PlayerTokenService = ReturnType<typeof playerTokenService>
