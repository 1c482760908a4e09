import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from './database.ts'
import { unauthorized } from './errors.ts'
import type { Secrets } from './secrets.ts'

const ALGORITHM = 'ES256'
const PURPOSE = 'signing-keys'

export type SessionClaims = { userId: string; sessionId: string; roles: string[]; expiresAt: number }
export type Tokens = ReturnType<typeof createTokens>
type Key = { kid: string; publicJwk: JWK; privateJwk: JWK }

/** Session tokens: JWTs of type `at+jwt` (RFC 9068), signed ES256 by keys that lie encrypted in the database and are published as a JWKS. */
export function createTokens({ database, secrets, issuer }: { database: Database; secrets: Secrets; issuer: string }) {
  const verified = new LRUCache<string, SessionClaims>({ max: 10_000 })
  let keys: Promise<Key[]> | undefined

  const unsealed = (sealed: string) => {
    try {
      return secrets.open(PURPOSE, sealed)
    } catch {
      throw new Error(
        'The secret (CAIRN_SECRET, or the file "secret" in the data folder) is not the one this database was made with: restore the right one',
      )
    }
  }
  const load = async (): Promise<Key[]> => {
    const { rows } = await sql<{ kid: string; public_jwk: JWK; private_jwk: string }>`
      select kid, public_jwk, private_jwk from signing_keys where retired_at is null order by created_at desc, kid`.execute(
      database.kysely,
    )
    return rows.map((row) => ({
      kid: row.kid,
      publicJwk: row.public_jwk,
      privateJwk: JSON.parse(unsealed(row.private_jwk)) as JWK,
    }))
  }
  const loadOrMake = async () => {
    const found = await load()
    if (found.length > 0) return found
    await storeKey(database, secrets, await makeKey())
    return load()
  }
  /** A failed load is not kept: the next caller tries again. */
  const all = () => {
    keys ??= loadOrMake().catch((error) => {
      keys = undefined
      throw error
    })
    return keys
  }

  return {
    /** Signs a session token that ends at `expiresAt` (seconds since 1970). */
    async issue({ userId, sessionId, roles, expiresAt }: SessionClaims): Promise<string> {
      const [key] = await all()
      return new SignJWT({ sid: sessionId, roles })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: key!.kid })
        .setIssuer(issuer)
        .setAudience('cairn')
        .setSubject(userId)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(await importJWK(key!.privateJwk, ALGORITHM))
    },

    /** @returns what a valid token says. @throws 401 when it is not one of ours, was changed, or has ended. Whether its session was revoked is asked elsewhere. */
    async verify(token: string): Promise<SessionClaims> {
      const known = verified.get(token)
      if (known && known.expiresAt * 1000 > Date.now()) return known
      const claims = await check(token)
      verified.set(token, claims)
      return claims
    },

    /** Loads the keys, or makes the first. @throws a sentence when the secret does not open them. */
    ready: async () => {
      await all()
    },

    /** The public keys, as a JWK set (RFC 7517). */
    jwks: async () => ({
      keys: (await all()).map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: ALGORITHM })),
    }),
  }

  async function check(token: string): Promise<SessionClaims> {
    const known = await all()
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = known.find((one) => one.kid === kid)
          if (!key) throw new Error('unknown key')
          return importJWK(key.publicJwk, ALGORITHM)
        },
        { algorithms: [ALGORITHM], issuer, audience: 'cairn', typ: 'at+jwt', requiredClaims: ['sub', 'sid', 'exp'] },
      )
      const { sub, sid, roles, exp } = payload
      return {
        userId: sub!,
        sessionId: String(sid),
        roles: Array.isArray(roles) ? roles.map(String) : [],
        expiresAt: exp!,
      }
    } catch {
      throw unauthorized('The session token is not valid here or has ended: sign in again')
    }
  }
}

async function makeKey(): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk: await exportJWK(privateKey) }
}

/** Two processes may start on a new database together: both keys are kept, and both load the same newest one. */
async function storeKey({ kysely }: Database, secrets: Secrets, key: Key) {
  const sealed = secrets.seal(PURPOSE, JSON.stringify(key.privateJwk))
  await sql`
    insert into signing_keys (kid, public_jwk, private_jwk)
    select ${key.kid}, ${JSON.stringify(key.publicJwk)}::jsonb, ${sealed}
     where pg_advisory_xact_lock(7210002) is not null and not exists (select from signing_keys where retired_at is null)`.execute(
    kysely,
  )
}
