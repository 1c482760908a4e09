import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { gridsFolder, type Platform } from '../../platform/platform.ts'
import type { Photos } from '../photos/index.ts'
import type { Zones } from '../zones/index.ts'
import { createExportWriters } from './process/export-writers.ts'
import { exportRoutes } from './routes.ts'
import { exportService } from './service.ts'
import { exportStore } from './store.ts'
import { createWritingThread } from './thread/writing-thread.ts'

type Deps = { zones: Pick<Zones, 'owner'>; photos: Pick<Photos, 'ofGcps'> }

export type Exports = ReturnType<typeof createExports>

/** Exports the points of a zone as a file. */
export function createExports({ config, reads, ownUrls }: Platform, { zones, photos }: Deps) {
  const writers = createExportWriters({ gridFolder: gridsFolder(config) })
  // Files take minutes: pages of features do not wait for them.
  const systems = createExportWriters({
    waiting: 'requests in other reference systems',
    seconds: 30,
    gridFolder: gridsFolder(config),
  })
  const thread = createWritingThread()
  const service = exportService({
    store: exportStore(reads.database.kysely, reads.bulk, ownUrls),
    findZone: zones.owner,
    writers,
    thread,
    photosOf: photos.ofGcps,
  })

  return {
    open: service.open,
    /** Transforms positions for requests that name a reference system. */
    systems: { toAxes: systems.toAxes, fromAxes: systems.fromAxes },
    /** Ends the worker processes and the thread; call it when no request is running. */
    close: async () => void (await Promise.all([writers.close(), systems.close(), thread.close()])),
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(exportRoutes({ service, guards }), { prefix: '/api' })
      },
  }
}
