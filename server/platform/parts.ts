import { join } from 'node:path'
import { createAddresses } from './addresses.ts'
import type { Config } from './config.ts'
import { createSecrets } from './credentials/secrets.ts'
import { createTokens } from './credentials/tokens.ts'
import { auditLog } from './database/audit.ts'
import { openDatabase } from './database/database.ts'
import { createJobs } from './database/jobs.ts'
import { createImages } from './images/images.ts'
import type { Log } from './log.ts'
import { createMetrics } from './metrics.ts'
import { internet, type Network } from './outbound/network.ts'
import { folderObjects } from './storage/folder-objects.ts'
import type { Objects } from './storage/objects.ts'
import { s3SettingsOf } from './storage/s3-client.ts'
import { s3Objects } from './storage/s3-objects.ts'

export type Platform = ReturnType<typeof createPlatform>

export type PlatformParts = {
  config: Config
  databaseUrl: string
  secret: string
  log: Log
  /** How hosts outside are reached, where that is not as usual. */
  network?: Network | undefined
}

/** What every area stands on. Nothing connects before its first use. */
export function createPlatform({ config, databaseUrl, secret, log, network = internet }: PlatformParts) {
  const addresses = createAddresses(config.CAIRN_PUBLIC_URL)
  const secrets = createSecrets(secret)
  const database = openDatabase({ url: databaseUrl, applicationName: 'cairn', max: 16, statementTimeoutMs: 30_000 })
  // Whoever asks for much waits for others who do, not everybody for them.
  const searches = openDatabase({
    url: databaseUrl,
    applicationName: 'cairn-searches',
    max: 4,
    statementTimeoutMs: 10_000,
  })
  return {
    config,
    databaseUrl,
    log,
    network,
    metrics: createMetrics(),
    addresses,
    secrets,
    database,
    /** For reads that anybody may ask for and that may look at every row of a large table: a few connections of their own. */
    searches,
    audit: auditLog(database.kysely),
    objects: createObjects({ config, publicUrl: addresses.publicUrl, log }),
    images: createImages({ folder: join(config.CAIRN_DATA_DIR, 'incoming-images') }),
    jobs: createJobs({ url: databaseUrl, log }),
    tokens: createTokens({ database, secrets, issuer: config.CAIRN_PUBLIC_URL ?? 'cairn' }),
  }
}

/** Where files are kept: on S3 when a bucket is set, else in the data folder. */
function createObjects({ config, publicUrl, log }: { config: Config; publicUrl: () => string; log: Log }): Objects {
  const settings = s3SettingsOf(config)
  return settings
    ? s3Objects({ settings, spoolFolder: join(config.CAIRN_DATA_DIR, 'incoming-objects'), publicUrl, log })
    : folderObjects({ folder: objectsFolder(config), publicUrl })
}

/** Where files are kept without S3. */
export const objectsFolder = (config: Config): string => join(config.CAIRN_DATA_DIR, 'objects')
