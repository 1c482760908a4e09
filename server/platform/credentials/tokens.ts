import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../concurrency/cache-entries.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { unauthorized } from '../errors.ts'
import { isId } from '../ids.ts'
import { createPlayerTokens } from './player-tokens.ts'
import type { Secrets } from './secrets.ts'
import { ALGORITHM, createSigningKeys, KEY_TIMING, type KeyTiming } from './signing-keys.ts'

const AUDIENCE = 'cairn'

/** The claims of a session token. Times are in seconds since 1970. */
export type SessionClaims = { userId: string; sessionId: string; roles: string[]; issuedAt: number; expiresAt: number }
/** The claims used here. The roles in the token are for other services; here the user's current ones count. */
type VerifiedClaims = Pick<SessionClaims, 'userId' | 'sessionId' | 'expiresAt'>

export type Tokens = ReturnType<typeof createTokens>

type Deps = {
  database: Database
  secrets: Secrets
  issuer: string
  timing?: KeyTiming
  clock?: Clock
}

/** Session tokens: JWTs of type `at+jwt` (RFC 9068), signed with ES256, verified against keys published as a JWKS. */
export function createTokens({ database, secrets, issuer, timing = KEY_TIMING, clock = Date }: Deps) {
  const keys = createSigningKeys({ database, secrets, timing })
  const verified = new LRUCache<string, { claims: VerifiedClaims; kid: string }>(cacheEntries(10_000))

  return {
    keys,
    ofPlayers: createPlayerTokens({ keys, issuer, clock }),

    async issue({ userId, sessionId, roles, issuedAt, expiresAt }: SessionClaims): Promise<string> {
      const key = await keys.signing()
      return new SignJWT({ sid: sessionId, roles })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: key.kid })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key.privateKey)
    },

    /**
     * @returns the claims of a valid token @throws 401 if it was not issued here, was changed, or has expired. Revoked
     * sessions are checked elsewhere.
     */
    async verify(token: string): Promise<VerifiedClaims> {
      const published = await keys.current()
      const known = verified.get(token)
      if (known && known.claims.expiresAt * 1000 > clock.now() && published.some(({ kid }) => kid === known.kid))
        return known.claims
      const checked = await check(token)
      verified.set(token, checked)
      return checked.claims
    },

    /** Loads the keys, or creates the first. @throws a sentence if the secret does not decrypt them */
    ready: async () => {
      await keys.current()
    },

    /** The public keys as a JWK set (RFC 7517). */
    jwks: async () => ({
      keys: (await keys.current()).map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: ALGORITHM })),
    }),
  }

  async function check(token: string) {
    const key = await keys.find(kidOf(token))
    if (!key) throw refused()
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [ALGORITHM],
        issuer,
        audience: AUDIENCE,
        typ: 'at+jwt',
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
      })
      const { sub, sid, aud, exp } = payload
      if (aud !== AUDIENCE || !isId(sub!) || !isId(String(sid))) throw new Error('it is not one of ours')
      return { claims: { userId: sub!, sessionId: String(sid), expiresAt: exp! }, kid: key.kid }
    } catch {
      throw refused()
    }
  }
}

const refused = () => unauthorized('The session token is not valid or has expired: sign in again')

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    throw refused()
  }
}
