import type pg from 'pg'
import { dedicatedClient } from '../database/locks/dedicated-client.ts'
import { createSecrets } from './secrets.ts'
import { unsealed } from './signing-keys.ts'

/** Looks whether a secret opens what a database of any release keeps; one without keys fits every secret. @throws a sentence when it does not */
export async function assertSecretOpensKeys(client: pg.ClientBase, secret: string): Promise<void> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('signing_keys') is not null as there`,
  )
  if (!found[0]!.there) return
  // Releases before codes knew no end of a key.
  const { rows } = await client.query<{ sealed: string }>(
    `select private_jwk as sealed from signing_keys
      where coalesce((to_jsonb(signing_keys) ->> 'ends_at')::timestamptz > clock_timestamp(), true)`,
  )
  const secrets = createSecrets(secret)
  for (const { sealed } of rows) unsealed(secrets, sealed)
}

/** The same on a connection of its own: before anything is changed in the database. @throws a sentence */
export async function assertSecretFits(databaseUrl: string, secret: string): Promise<void> {
  const client = dedicatedClient(databaseUrl, 'cairn-secret')
  await client.connect()
  try {
    await assertSecretOpensKeys(client, secret)
  } finally {
    await client.end()
  }
}
