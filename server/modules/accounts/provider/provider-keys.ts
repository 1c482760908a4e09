import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { type Kysely, sql } from 'kysely'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { lock } from '../../../platform/database/locks/locks.ts'

const PURPOSE = 'oidc-keys'
const ALGORITHM = 'ES256'

export type ProviderKeys = ReturnType<typeof providerKeys>

/** The signing keys of the built-in issuer: created once, stored encrypted in the database. */
export function providerKeys(db: Kysely<AnyTables>, secrets: Secrets) {
  let keys: Promise<JWK[]> | undefined

  const load = async (): Promise<JWK[]> => {
    const { rows } = await sql<{ kid: string; private_jwk: string }>`
      select kid, private_jwk from oidc_keys order by created_at desc, kid`.execute(db)
    return rows.map(({ kid, private_jwk }) => ({
      ...(JSON.parse(secrets.open(PURPOSE, private_jwk)) as JWK),
      kid,
      use: 'sig',
      alg: ALGORITHM,
    }))
  }

  /** If two processes start on a new database together, one creates the key and the other waits for it. */
  const make = async () => {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const sealed = secrets.seal(PURPOSE, JSON.stringify(await exportJWK(privateKey)))
    const kid = await calculateJwkThumbprint(publicJwk)
    await db.transaction().execute(async (trx) => {
      await lock(trx, 'providerKeys')
      await sql`
        insert into oidc_keys (kid, public_jwk, private_jwk)
        select ${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${sealed}
         where not exists (select from oidc_keys)`.execute(trx)
    })
  }

  const loadOrMake = async () => {
    const found = await load()
    if (found.length > 0) return found
    await make()
    return load()
  }

  /** Private JWKs, newest first. A failed load is not cached: the next caller retries it. */
  const all = (): Promise<JWK[]> => {
    keys ??= loadOrMake().catch((error) => {
      keys = undefined
      throw error
    })
    return keys
  }

  /** Finds the public key of a token without a network request. */
  const ofToken: JWTVerifyGetKey = async (header, token) => {
    const published = (await all()).map(({ d: _private, ...key }) => key)
    return createLocalJWKSet({ keys: published })(header, token)
  }

  return { all, ofToken, cookieKey: () => secrets.sign('oidc-cookies', 'key') }
}
