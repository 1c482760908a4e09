import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Guards } from '../credentials/guards.ts'
import type { AuditAction } from '../database/audit-actions.ts'
import { runOutsideRequest } from '../database/request-context.ts'
import type { Live } from '../live/live.ts'
import type { Platform } from '../platform.ts'
import { release } from '../process/release.ts'
import { refuseEncodedBodies } from './bodies/body-encodings.ts'
import { abortSlowClients } from './connections/slow-clients.ts'
import { type ConsoleOptions, serveConsole } from './console/console.ts'
import { describeApi } from './docs/openapi.ts'
import { serveApiDocs } from './docs/reference.ts'
import { createHttp, ROUTER } from './http.ts'
import { registerIdempotency } from './idempotency/idempotency.ts'
import { idempotencyStore } from './idempotency/idempotency-store.ts'
import { enforceDatabaseReserve } from './limits/database-reserve.ts'
import { limitRequests } from './limits/limits.ts'
import { operationsRoutes } from './operations.ts'
import { readFromReplica } from './replica-reads.ts'
import { trackRequests } from './requests/request-contexts.ts'
import { auditWrites } from './responses/audit-writes.ts'
import { compressResponses } from './responses/compression.ts'
import { refuseWrongMethods } from './wrong-methods.ts'

type Deps = {
  guards: Guards
  live: Live
  /** While true, every response closes its connection, so that clients reconnect elsewhere. */
  isDraining: () => boolean
  /** Counts responses per app key. */
  countCalls: (http: FastifyInstance, guards: Guards) => void
  /** The action of the audit entry that each of these operations writes. */
  auditedWrites: Record<string, AuditAction>
  /** Limits uploads. */
  limitUploads: (http: FastifyInstance, guards: Guards) => void
  /** The routes of each module. */
  routes: FastifyPluginAsync[]
  console: Pick<ConsoleOptions, 'signIn' | 'needsFirstAdmin' | 'basemap'>
}

/**
 * The HTTP server of a process: the hooks of every request in their order, then all routes. A worker serves health and
 * metrics only.
 */
export async function createServer(platform: Platform, parts: Deps): Promise<FastifyInstance> {
  const { config, log, metrics, database, objects, reads, processes } = platform
  const { guards, live, isDraining } = parts
  const http = await createHttp({ config, log, metrics, isDraining })
  const refuseOtherMethods = refuseWrongMethods(http, ROUTER)
  http.addHook('preClose', async () => live.close())
  if (database.fairPool) trackRequests(http, database.fairPool)
  if (reads.replica) readFromReplica(http, { replica: reads.replica, guards })
  if (config.CAIRN_ROLE !== 'worker') await serveApi(http, platform, parts)
  operationsRoutes(http, {
    metrics: processes?.metrics ?? metrics,
    metricsToken: config.CAIRN_METRICS_TOKEN,
    isDraining,
    checks: {
      database: () => runOutsideRequest(() => sql`select 1`.execute(database.kysely)),
      objects: objects.check,
    },
  })
  refuseOtherMethods()
  return http
}

async function serveApi(
  http: FastifyInstance,
  { config, metrics, database, databaseDiskReserve, addresses, limits, audit, log }: Platform,
  { guards, countCalls, limitUploads, auditedWrites, routes, console }: Deps,
) {
  abortSlowClients(http, { seconds: config.CAIRN_SLOW_BODY_SECONDS, metrics })
  countCalls(http, guards)
  limitRequests(http, { limits, guards })
  refuseEncodedBodies(http)
  limitUploads(http, guards)
  enforceDatabaseReserve(http, { reserve: databaseDiskReserve, metrics })
  registerIdempotency(http, { store: idempotencyStore(database.pool), guards })
  compressResponses(http)
  auditWrites(http, { guards, audit, actions: auditedWrites, log })
  await describeApi(http)
  for (const plugin of routes) await http.register(plugin)
  await serveApiDocs(http, addresses.publicUrl)
  await serveConsole(http, {
    version: await release(),
    publicUrl: addresses.publicUrl,
    mapHosts: config.CAIRN_MAP_HOSTS,
    ...console,
  })
}
