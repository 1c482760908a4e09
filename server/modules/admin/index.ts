import { statfs } from 'node:fs/promises'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { deleteFinishedJobs } from '../../platform/database/jobs/job-queues.ts'
import { foldRowCounts } from '../../platform/database/row-counts.ts'
import { issuerKeys, reasonOf } from '../../platform/outbound/issuer-keys.ts'
import type { Platform } from '../../platform/platform.ts'
import { release } from '../../platform/process/release.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { boxHealth, type Look } from './health.ts'
import { jobService } from './job-service.ts'
import { jobStore } from './job-store.ts'
import { limitsOf } from './limits.ts'
import { boxRoutes } from './routes.ts'
import type { Health } from './schema.ts'
import { boxStore } from './store.ts'

type Deps = {
  /** The pins that this process holds in memory; undefined while searches use the database. */
  pinsHeld: () => { size: number } | undefined
  /** Whether users sign in with local accounts. */
  hasAccounts: boolean
  /** The state of scheduled backups. */
  backups: () => Promise<Health['backups']>
}

/** How often row count changes are folded; a reader adds up those that remain. */
const FOLD_MS = 10_000
/** Completed jobs are kept for an hour, and deleted within this time after it. */
const FORGET_MS = 5 * 60_000

const off = (detail: string): Look => ({ state: 'off', detail })

/** The health, jobs and limits of the installation, for ops and admins. */
export function createAdmin(platform: Platform, { pinsHeld, hasAccounts, backups }: Deps) {
  const { config, database, databaseDiskReserve, metrics, objects, redis, reads, jobs, audit, addresses, log } =
    platform
  const { replica } = reads

  const replicaNow = (): Look => {
    if (!replica) return off('CAIRN_DATABASE_REPLICA_URL is not set')
    const why = replica.away()
    if (why !== undefined) return { state: 'failed', detail: `Reads use the primary: ${why}` }
    return { state: 'ok', detail: `${Math.round(replica.behindMs())} ms behind` }
  }
  const pinsNow = (): Look => {
    if (config.CAIRN_PIN_INDEX_BYTES === 0) return off('CAIRN_PIN_INDEX_BYTES is 0: searches use the database')
    const held = pinsHeld()
    return held
      ? { state: 'ok', detail: `${held.size} pins in memory` }
      : off('Pins are loading, or do not fit in CAIRN_PIN_INDEX_BYTES: searches use the database')
  }
  /** Checks every configured provider in turn; the first failure is reported. */
  const providers = async (): Promise<string> => {
    const found = await Promise.all(
      config.CAIRN_OIDC.map(async (one) =>
        issuerKeys(one).then(
          () => one.issuer,
          (error) => Promise.reject(new Error(`${one.issuer}: ${reasonOf(error)}`)),
        ),
      ),
    )
    return [...found, ...(hasAccounts ? ['accounts of this service'] : [])].join(', ')
  }
  const identityNow = (): Look => {
    if (config.CAIRN_OIDC.length > 0) return { ask: providers }
    return hasAccounts ? { state: 'ok', detail: 'Accounts of this service' } : off('Nobody can sign in: set CAIRN_OIDC')
  }
  const withoutDetail = async (asked: Promise<unknown>): Promise<null> => {
    await asked
    return null
  }

  const health = boxHealth({
    store: boxStore(database.pool),
    config,
    version: release,
    startedAt: new Date().toISOString(),
    publicUrl: addresses.publicUrl,
    looks: () => ({
      objects: { ask: () => withoutDetail(objects.check()) },
      redis: redis ? { ask: () => withoutDetail(redis.ping()) } : off('CAIRN_REDIS_URL is not set'),
      replica: replicaNow(),
      pinIndex: pinsNow(),
      identity: identityNow(),
    }),
    databaseDiskReserve,
    backups,
    disk: async () => {
      const { bavail, blocks, bsize } = await statfs(config.CAIRN_DATA_DIR)
      return { free: bavail * bsize, total: blocks * bsize }
    },
  })
  metrics.gauge(
    'cairn_database_free_bytes',
    'Free bytes on the disk of the database; -1 if unknown',
    () => databaseDiskReserve.lastFree() ?? -1,
  )
  const service = jobService({ store: jobStore(database.kysely), jobs, audit })

  return {
    health,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(boxRoutes({ health, jobs: service, limits: limitsOf(config), guards }), {
          prefix: '/api/v1',
        })
        scheduleEvery(app, {
          everyMs: FOLD_MS,
          work: () => foldRowCounts(database.pool),
          onError: (error) => log.error({ err: error }, 'failed to fold row counts'),
        })
        scheduleEvery(app, {
          everyMs: FORGET_MS,
          work: () => deleteFinishedJobs(database.pool),
          onError: (error) => log.error({ err: error }, 'failed to purge completed jobs'),
        })
      },
  }
}
