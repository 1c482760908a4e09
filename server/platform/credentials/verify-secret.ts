import type pg from 'pg'
import { dedicatedClient } from '../database/locks/dedicated-client.ts'
import { createSecrets } from './secrets.ts'
import { unsealed } from './signing-keys.ts'

/**
 * Checks that a secret decrypts the keys in a database of any release; one without keys accepts every secret. @throws a
 * sentence if it does not
 */
export async function assertSecretOpensKeys(client: pg.ClientBase, secret: string): Promise<void> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('signing_keys') is not null as there`,
  )
  if (!found[0]!.there) return
  // Databases of releases before six-digit codes have no column for a key's end.
  const { rows } = await client.query<{ sealed: string }>(
    `select private_jwk as sealed from signing_keys
      where coalesce((to_jsonb(signing_keys) ->> 'ends_at')::timestamptz > clock_timestamp(), true)`,
  )
  const secrets = createSecrets(secret)
  for (const { sealed } of rows) unsealed(secrets, sealed)
}

/** The same on its own connection, before anything in the database changes. @throws a sentence */
export async function assertSecretFits(databaseUrl: string, secret: string): Promise<void> {
  const client = dedicatedClient(databaseUrl, 'cairn-secret')
  await client.connect()
  try {
    await assertSecretOpensKeys(client, secret)
  } finally {
    await client.end()
  }
}
