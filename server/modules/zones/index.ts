import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { createOutlines } from './boundary/outlines.ts'
import { outlinesOf } from './boundary/outlines-of.ts'
import { editorRoutes } from './editors/routes.ts'
import { editorService } from './editors/service.ts'
import { editorStore } from './editors/store.ts'
import { removalStore } from './removal-store.ts'
import { zoneRoutes } from './routes.ts'
import { zoneService } from './service.ts'
import { zoneStore } from './store.ts'

export type { Outline } from './boundary/outline.ts'
export { isWithin } from './boundary/outline-distance.ts'

type Deps = {
  /** Removes objects that nothing refers to. */
  removeUnused: () => Promise<void>
}

export type Zones = ReturnType<typeof createZones>

/** Zones and their boundaries. */
export function createZones({ database, bulk, quotas, audit }: Platform, { removeUnused }: Deps) {
  const store = zoneStore(database.kysely, bulk)
  const outlines = createOutlines({ load: store.outlines })
  const removals = removalStore(database.kysely)
  const service = zoneService({ store, outlines, removals, removeUnused, quotas })

  const editors = editorService({ store: editorStore(database.kysely, audit), zone: store.owner })

  return {
    get: store.get,
    owner: store.owner,
    /** Changes of zones, for the operations of other modules. */
    writes: { create: service.create, change: service.update, remove: service.remove },
    insideAll: service.insideAll,
    findTouching: outlines.touching,
    /** The boundaries of zones; undefined if they have too many positions together. */
    outlinesOf: outlinesOf((ids) => store.outlines(ids)),
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(zoneRoutes({ service, guards }), { prefix: '/api' })
        await app.register(editorRoutes({ service: editors, guards }), { prefix: '/api' })
      },
  }
}
