import type { FastifyRequest } from 'fastify'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../concurrency/cache-entries.ts'
import type { Clock } from '../database/clock.ts'
import { unauthorized } from '../errors.ts'
import { isId } from '../ids.ts'
import { ALGORITHM, type SigningKeys } from './signing-keys.ts'

const TYPE = 'player+jwt'
/** Not that of session tokens: a verifier that ignores the type still distinguishes the two. */
const AUDIENCE = 'cairn-player'

/** The key or the session that a token was issued with, and ends with. */
export type Issuance = { keyId: string } | { sessionId: string }

/** The claims of a player token. */
export type PlayerClaims = { playerId: string; appId: string; issuedWith: Issuance }

type Deps = { keys: SigningKeys; issuer: string; clock: Clock }

/** Player tokens: JWTs of type `player+jwt`, signed with ES256 by the keys of session tokens. */
export function createPlayerTokens({ keys, issuer, clock }: Deps) {
  const verified = new LRUCache<string, { claims: PlayerClaims; expiresAt: number; kid: string }>(cacheEntries(10_000))

  return {
    async issue(
      { playerId, appId, issuedWith }: PlayerClaims,
      seconds: number,
    ): Promise<{ token: string; expiryTime: string }> {
      const key = await keys.signing()
      const issuedAt = Math.floor(clock.now() / 1000)
      const token = await new SignJWT({
        app: appId,
        ...('keyId' in issuedWith ? { key: issuedWith.keyId } : { sid: issuedWith.sessionId }),
      })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.kid })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(playerId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(key.privateKey)
      return { token, expiryTime: new Date((issuedAt + seconds) * 1000).toISOString() }
    },

    /** @returns the claims of a valid token @throws 401 if it was not issued here, was changed, or has expired */
    async verify(token: string): Promise<PlayerClaims> {
      const published = await keys.current()
      const known = verified.get(token)
      if (known && known.expiresAt * 1000 > clock.now() && published.some(({ kid }) => kid === known.kid))
        return known.claims
      const checked = await check(token)
      verified.set(token, checked)
      return checked.claims
    },
  }

  async function check(token: string) {
    const key = await keys.find(headerOf(token)?.kid)
    if (!key) throw refused()
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [ALGORITHM],
        issuer,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ['sub', 'app', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
      })
      const { sub, aud, app, key: keyId, sid, exp } = payload
      if (aud !== AUDIENCE || !isId(sub!) || !isId(String(app))) throw new Error('it is not one of ours')
      const issuedWith = typeof keyId === 'string' ? { keyId } : { sessionId: String(sid) }
      return { claims: { playerId: sub!, appId: String(app), issuedWith }, expiresAt: exp!, kid: key.kid }
    } catch {
      throw refused()
    }
  }
}

export type PlayerTokens = ReturnType<typeof createPlayerTokens>

const refused = () => unauthorized('The player token is not valid or has expired: get another one')

function headerOf(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return undefined
  }
}

/** The player token that a request carries beside its app key; any other Authorization is not this one's business. */
export function playerTokenOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '') ?? []
  return token !== undefined && headerOf(token)?.typ === TYPE ? token : undefined
}
