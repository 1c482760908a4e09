import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import type { Scoring } from '../scoring/index.ts'
import type { Zones } from '../zones/index.ts'
import { checkInRoutes } from './check-ins/routes.ts'
import { checkInService } from './check-ins/service.ts'
import { checkInStore } from './check-ins/store.ts'
import { fenceSets } from './matching/fence-sets.ts'
import { positionRoutes } from './positions/routes.ts'
import { positionService } from './positions/service.ts'
import { positionStore } from './positions/store.ts'
import { fenceRoutes } from './records/routes.ts'
import { fenceService } from './records/service.ts'
import { fenceStore } from './records/store.ts'

type Deps = { zones: Pick<Zones, 'outlinesOf'>; scoring: Scoring }

const CLEAN_MS = 60_000

/** Fences, the positions of players that enter and leave them, and check-ins. */
export function createFences({ config, database, quotas, secrets, metrics, log }: Platform, { zones, scoring }: Deps) {
  const store = fenceStore(database.kysely)
  const positions = positionStore(database.pool)
  const sets = fenceSets({ load: store.all, outlinesOf: zones.outlinesOf, bytes: config.CAIRN_FENCE_BYTES })
  metrics.gauge('cairn_fence_bytes', 'Memory of the fences of this process', sets.bytes)
  const { checkTimeZone, sortOrderOf } = scoring
  const service = fenceService({ store, newId, quotas, checkTimeZone, sortOrderOf })
  const checkIns = checkInService({
    store: checkInStore(database.kysely),
    positions,
    sets,
    fence: service.get,
    newId,
    markOf: (appId, { lat, lon, accuracy, altitude }) =>
      secrets.sign('check-in', JSON.stringify([appId, lat, lon, accuracy, altitude])).slice(0, 16),
    scoring,
  })

  return {
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1/apps'
        await app.register(fenceRoutes({ service, guards }), { prefix })
        await app.register(positionRoutes({ service: positionService({ store: positions, sets }), guards }), { prefix })
        await app.register(checkInRoutes({ service: checkIns, guards }), { prefix })
        scheduleEvery(app, {
          everyMs: CLEAN_MS,
          work: store.removeOld,
          onError: (error) => log.error({ err: error }, 'old positions could not be removed'),
        })
      },
  }
}
