import { signedUrls } from '../../server/modules/files/objects/signed-url.ts'
import { createSecrets } from '../../server/platform/credentials/secrets.ts'
import { createTokens } from '../../server/platform/credentials/tokens.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import type { Sql } from '../sites/sql.ts'

type Parts = { databaseUrl: string; secret: string; issuer: string; sql: Sql }

/**
 * Creates credentials with a chosen expiry. Seconds count from now by the database's clock; negative values have
 * expired.
 */
export function credentials({ databaseUrl, secret, issuer, sql }: Parts) {
  const secrets = createSecrets(secret)
  const database = openDatabase({ url: databaseUrl, applicationName: 'faults', max: 1 })
  const tokens = createTokens({ database, secrets, issuer })
  const addresses = signedUrls({ objects: undefined as never, secrets })
  const inSeconds = async (seconds: number) =>
    Number((await sql<{ at: string }>('select floor(extract(epoch from clock_timestamp()))::text as at'))[0]!.at) +
    seconds

  return {
    inSeconds,

    /** Issues another token for the session of a live token. */
    async sessionToken(live: string, seconds: number): Promise<string> {
      const { sub, sid } = JSON.parse(Buffer.from(live.split('.')[1]!, 'base64url').toString())
      const expiresAt = await inSeconds(seconds)
      return tokens.issue({ userId: sub, sessionId: sid, roles: [], issuedAt: expiresAt - 43_200, expiresAt })
    },

    /** Returns a signed download path. */
    async download(key: string, seconds: number): Promise<string> {
      const expires = await inSeconds(seconds)
      const signature = addresses.sign({ method: 'GET', key, expires })
      return `/files/${key}?${new URLSearchParams({ expires: String(expires), signature })}`
    },

    /** Returns a signed upload path. */
    async upload(key: string, { type, size }: { type: string; size: number }, seconds: number): Promise<string> {
      const expires = await inSeconds(seconds)
      const signature = addresses.sign({ method: 'PUT', key, expires, type, size })
      return `/files/${key}?${new URLSearchParams({ expires: String(expires), type, size: String(size), signature })}`
    },

    close: () => database.close(),
  }
}
