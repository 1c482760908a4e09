import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import type { Streams } from '../../platform/live/streams.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import type { Localizations } from '../localization/index.ts'
import type { Scoring } from '../scoring/index.ts'
import type { Zones } from '../zones/index.ts'
import { checkInCountRoutes } from './check-ins/counts/count-routes.ts'
import { checkInCountService } from './check-ins/counts/count-service.ts'
import { checkInCountStore } from './check-ins/counts/count-store.ts'
import { checkInRoutes } from './check-ins/routes.ts'
import { checkInService } from './check-ins/service.ts'
import { checkInStore } from './check-ins/store.ts'
import { fenceEventStore } from './live/event-store.ts'
import { liveFenceEvents } from './live/live-events.ts'
import { fenceStreamRoutes } from './live/routes.ts'
import { fenceSets } from './matching/fence-sets.ts'
import type { Fix } from './matching/fix.ts'
import { positionRoutes } from './positions/routes.ts'
import { positionService, streamedEvent } from './positions/service.ts'
import { sharedFixes } from './positions/shared-fixes.ts'
import { positionStore } from './positions/store.ts'
import { removalStore } from './records/removal-store.ts'
import { fenceRoutes } from './records/routes.ts'
import { fenceService } from './records/service.ts'
import { fenceStore } from './records/store.ts'
import { simulationRoutes } from './simulation/routes.ts'

type Deps = {
  zones: Pick<Zones, 'outlinesOf'>
  localization: Pick<Localizations, 'readProof'>
  scoring: Scoring
  streams: Pick<Streams, 'open'>
}

const CLEAN_MS = 60_000
const CLEAN_CHECK_INS_MS = 60 * 60_000

/** Fences, the positions of players that enter and leave them, and check-ins. */
export function createFences(
  { config, database, reads, changes, audit, quotas, secrets, metrics, log }: Platform,
  { zones, localization, scoring, streams }: Deps,
) {
  const store = fenceStore(database.kysely, audit)
  const positions = positionStore(database.pool)
  const sets = fenceSets({ load: store.all, outlinesOf: zones.outlinesOf, bytes: config.CAIRN_FENCE_BYTES })
  metrics.gauge('cairn_fence_bytes', 'Memory of the fences of this process', sets.bytes)
  const { checkTimeZone, sortOrderOf } = scoring
  const service = fenceService({ store, newId, quotas, checkTimeZone, sortOrderOf })
  const markOf = (appId: string, { lat, lon, accuracy, altitude }: Fix) =>
    secrets.sign('check-in', JSON.stringify([appId, lat, lon, accuracy, altitude])).slice(0, 16)
  const shared = sharedFixes({ pool: database.pool, markOf })
  const checkIns = checkInService({
    store: checkInStore(database.kysely),
    positions,
    sets,
    fence: service.get,
    newId,
    markOf,
    readProof: localization.readProof,
    scoring,
  })
  const events = fenceEventStore(database.pool)
  const live = liveFenceEvents({
    store: events,
    streams,
    changes,
    shown: streamedEvent,
    onError: (error) => log.warn({ err: error }, 'failed to read the events of a stream of fences'),
  })

  const removals = removalStore(database.pool)

  return {
    reviseCheckIn: checkIns.revise,
    removeOldCheckIns: removals.removeOldCheckIns,
    removeOldPositions: removals.removeOldPositions,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1/apps'
        await app.register(fenceRoutes({ service, guards }), { prefix })
        await app.register(
          positionRoutes({ service: positionService({ store: positions, sets, sharedFixes: shared }), guards }),
          { prefix },
        )
        await app.register(checkInRoutes({ service: checkIns, guards }), { prefix })
        const counts = checkInCountService({ store: checkInCountStore(reads.searches.kysely) })
        await app.register(checkInCountRoutes({ service: counts, guards }), { prefix })
        const fencesOf = async (appId: string) => sets.of(appId, await store.version(appId))
        await app.register(simulationRoutes({ fencesOf, guards }), { prefix })
        await app.register(fenceStreamRoutes({ live, guards }), { prefix })
        scheduleEvery(app, {
          everyMs: CLEAN_MS,
          work: async () => {
            await removals.removeOldPositions()
            await events.removeOld()
            await shared.removeOld()
          },
          onError: (error) => log.error({ err: error }, 'failed to remove old positions and events'),
        })
        scheduleEvery(app, {
          everyMs: CLEAN_CHECK_INS_MS,
          work: removals.removeOldCheckIns,
          onError: (error) => log.error({ err: error }, 'failed to remove old check-ins'),
        })
      },
  }
}

export type Fences = ReturnType<typeof createFences>
