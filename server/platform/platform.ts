import { join } from 'node:path'
import { createAddresses } from './addresses.ts'
import { createChangeFeed, publishChange } from './changes/feed.ts'
import type { Config } from './config.ts'
import { createSecrets } from './credentials/secrets.ts'
import { createTokens } from './credentials/tokens.ts'
import { auditLog } from './database/audit.ts'
import { createBulkThread, kyselyOn } from './database/bulk/bulk-reads.ts'
import { type Clock, type DatabaseClock, databaseClock } from './database/clock.ts'
import { openDatabase } from './database/database.ts'
import { databaseDiskReserve } from './database/database-disk.ts'
import { LOCK_TIMEOUT_MS } from './database/fair-pool.ts'
import { createJobs } from './database/jobs/jobs.ts'
import { createProcessRegistry } from './database/locks/process-registry.ts'
import { openReplica, readsWithoutReplica } from './database/replica/replica.ts'
import { coordinatorCounts, countForServing } from './http/limits/coordinator-counts.ts'
import { createLimits } from './http/limits/limits.ts'
import { createSharedCounts } from './http/limits/shared-counts.ts'
import { createImages } from './images/images.ts'
import { jobDiskCheck } from './job-disk-check.ts'
import type { Log } from './logging/log.ts'
import { createMailer } from './mail/mailer.ts'
import { createMetrics } from './metrics.ts'
import { internet, type Network } from './outbound/network.ts'
import { createProcesses, type ProcessPart } from './processes/processes.ts'
import { ownershipQuotas } from './quotas.ts'
import type { RedisClient } from './redis/redis.ts'
import { filesDiskReserve } from './storage/disk-reserve.ts'
import { folderObjects } from './storage/folder/folder-objects.ts'
import type { Objects } from './storage/objects.ts'
import { createOwnUrls } from './storage/own-urls.ts'
import { removalLock, withRemovalLock } from './storage/removal-lock.ts'
import { s3SettingsOf } from './storage/s3/s3-client.ts'
import { s3Objects } from './storage/s3/s3-objects.ts'

export type Platform = ReturnType<typeof createPlatform>

export type PlatformOptions = {
  config: Config
  databaseUrl: string
  secret: string
  log: Log
  /** How to reach outside hosts, if not as usual. */
  network?: Network | undefined
  /** The database's clock; tests replace it to look into the future. */
  clock?: DatabaseClock | undefined
  /** What `openConfiguredRedis` returns. */
  redis?: RedisClient | undefined
  /** The part of this process, if CAIRN_PROCESSES starts several. */
  part?: ProcessPart | undefined
}

/** Opens Redis if the configuration has it. Other installations do not load its client. */
export async function openConfiguredRedis({ config, log }: PlatformOptions): Promise<RedisClient | undefined> {
  if (!config.CAIRN_REDIS_URL) return undefined
  const { openRedis } = await import('./redis/redis.ts')
  return openRedis(config.CAIRN_REDIS_URL, log)
}

/** Creates what every module stands on. Nothing connects before its first use. */
export function createPlatform({
  config,
  databaseUrl,
  secret,
  log,
  network = internet,
  clock = databaseClock(),
  redis,
  part,
}: PlatformOptions) {
  const addresses = createAddresses(config.CAIRN_PUBLIC_URL)
  const secrets = createSecrets(secret)
  const database = openDatabase({
    url: databaseUrl,
    applicationName: 'cairn',
    max: 16,
    statementTimeoutMs: 30_000,
    idleInTransactionMs: 60_000,
    isFair: true,
  })
  // A separate pool, so that expensive searches only delay each other.
  const searches = openDatabase({
    url: databaseUrl,
    applicationName: 'cairn-searches',
    max: 4,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  })
  const bulkThread = createBulkThread()
  const bulkPool = bulkThread.pool(databaseUrl, { applicationName: 'cairn-bulk' })
  const bulk = kyselyOn(bulkPool)
  const changes = openDatabase({
    url: databaseUrl,
    applicationName: 'cairn-changes',
    max: 1,
    statementTimeoutMs: 10_000,
  })
  const removing = openDatabase({
    url: databaseUrl,
    applicationName: 'cairn-removals',
    max: 1,
    statementTimeoutMs: 10_000,
  })
  const metrics = createMetrics()
  const removals = removalLock(removing.pool)
  const processes = part && createProcesses(part, { metrics, listensOn: addresses.listensOn })
  const { coordinator, servingProcesses } = (!redis && processes) || {}
  if (servingProcesses) countForServing(servingProcesses)
  const sharedCounts = redis
    ? createSharedCounts({ redis, log, metrics })
    : coordinator && coordinatorCounts(coordinator)
  const replicaUrl = config.CAIRN_DATABASE_REPLICA_URL
  const reads = replicaUrl
    ? openReplica({
        primaryUrl: databaseUrl,
        replicaUrl,
        database,
        searches,
        bulkThread,
        bulkPool,
        redis,
        log,
        metrics,
      })
    : readsWithoutReplica(database, searches, bulk)
  const feed = createChangeFeed({ pool: changes.pool, log, clock })
  const jobs = createJobs({
    url: databaseUrl,
    log,
    // Workers poll every two seconds anyway.
    wakeOthers: (name) => void publishChange(database.kysely, 'job', [name]).catch(() => {}),
  })
  metrics.gauge('cairn_job_queues_held', 'Job queues paused until a disk has free space', () => jobs.held().length)
  feed.listen('job', (names) => {
    for (const name of names) jobs.wakeHere(name)
  })
  const roomOfDatabase = databaseDiskReserve(config)
  return {
    config,
    quotas: ownershipQuotas(config),
    databaseUrl,
    log,
    network,
    /** Sends mail; undefined if no server is set. */
    mailer: createMailer(config, network),
    metrics,
    addresses,
    /** Translates between stored paths and public URLs of own files. */
    ownUrls: createOwnUrls(addresses.publicUrl),
    secrets,
    database,
    /** Free space on the disk of the database. */
    databaseDiskReserve: roomOfDatabase,
    /** Free space for background work. */
    jobDiskCheck: jobDiskCheck({ database: roomOfDatabase, files: filesDiskReserve(config) }),
    /** For public reads that may scan a large table: a small pool of their own. */
    searches,
    /** For large reads, in a thread: single statements whose column `text` arrives as bytes. */
    bulk,
    /**
     * For lists, boards, searches and exports that may use a replica; without one the same as `database` and
     * `searches`.
     */
    reads,
    /** Shared by several processes; undefined for a single one. Its data can be lost at any time. */
    redis,
    /** The connections with the other processes of CAIRN_PROCESSES. */
    processes,
    /** In a serving process of several without Redis: keeps what they share. */
    coordinator,
    /** In the coordinator: the serving processes. */
    servingProcesses,
    /** Usage of limits, shared by several processes. */
    sharedCounts,
    /** Request limits per sender. */
    limits: createLimits(config, sharedCounts),
    /** Changes of any process. */
    changes: feed,
    /** The clock for anything that expires. */
    clock,
    audit: auditLog(database.kysely),
    objects: withRemovalLock(createObjects({ config, publicUrl: addresses.publicUrl, clock, log }), {
      removals,
      pool: database.pool,
    }),
    /** Blocks the removal of objects during a backup. */
    removals,
    images: createImages({ folder: join(config.CAIRN_DATA_DIR, 'incoming-images') }),
    jobs,
    presence: createProcessRegistry(databaseUrl, config.CAIRN_ROLE),
    tokens: createTokens({ database, secrets, clock, issuer: config.CAIRN_PUBLIC_URL ?? 'cairn' }),

    /** Closes the database. */
    async close() {
      redis?.disconnect()
      processes?.stop()
      if (reads.replica) await Promise.all([reads.replica.stop(), reads.database.close(), reads.searches.close()])
      await Promise.all([database, searches, changes, removing, bulkThread].map((one) => one.close()))
    },
  }
}

/** Stores files on S3 if a bucket is set, otherwise in the data folder. */
function createObjects({
  config,
  publicUrl,
  clock,
  log,
}: {
  config: Config
  publicUrl: () => string
  clock: Clock
  log: Log
}): Objects {
  const settings = s3SettingsOf(config)
  return settings
    ? s3Objects({ settings, spoolFolder: join(config.CAIRN_DATA_DIR, 'incoming-objects'), publicUrl, clock, log })
    : folderObjects({ folder: objectsFolder(config), publicUrl })
}

/** The folder of files without S3. */
export const objectsFolder = (config: Config): string => join(config.CAIRN_DATA_DIR, 'objects')

/** The folder of PROJ's grid files. */
export const gridsFolder = (config: Config): string => config.CAIRN_GRIDS ?? join(config.CAIRN_DATA_DIR, 'grids')
