import { join } from 'node:path'
import { createAddresses } from './addresses.ts'
import { auditLog } from './audit.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database.ts'
import { folderObjects } from './folder-objects.ts'
import { createJobs } from './jobs.ts'
import type { Log } from './log.ts'
import { createMetrics } from './metrics.ts'
import { createSecrets } from './secrets.ts'
import { createTokens } from './tokens.ts'

export type Platform = ReturnType<typeof createPlatform>

/** What every area stands on. Nothing connects before its first use. */
export function createPlatform(parts: { config: Config; databaseUrl: string; secret: string; log: Log }) {
  const { config, databaseUrl, secret, log } = parts
  const addresses = createAddresses(config.CAIRN_PUBLIC_URL)
  const secrets = createSecrets(secret)
  const database = openDatabase({ url: databaseUrl, applicationName: 'cairn', max: 16, statementTimeoutMs: 30_000 })
  return {
    config,
    databaseUrl,
    log,
    metrics: createMetrics(),
    addresses,
    secrets,
    database,
    audit: auditLog(database.kysely),
    objects: folderObjects({ folder: join(config.CAIRN_DATA_DIR, 'objects'), publicUrl: addresses.publicUrl }),
    jobs: createJobs({ url: databaseUrl, log }),
    tokens: createTokens({ database, secrets, issuer: config.CAIRN_PUBLIC_URL ?? 'cairn' }),
  }
}
