import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { tileDocuments } from './documents/documents.ts'
import { tileRoutes } from './routes.ts'
import { tileService } from './service.ts'
import { tileStore } from './store.ts'

/** Vector tiles of pins, ground control points, zones and public scans (OGC API – Tiles). */
export function createTiles({ addresses, searches, changes, config, metrics, log }: Platform) {
  const service = tileService({
    store: tileStore(searches.kysely),
    changes,
    bytes: config.CAIRN_TILE_BYTES,
    log,
  })
  const documents = tileDocuments(() => `${addresses.publicUrl()}/ogc`)
  metrics.gauge('cairn_tile_bytes', 'Memory of vector tiles and of the points they are made of', () => service.bytes)

  return {
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        app.addHook('onClose', async () => service.stop())
        await app.register(tileRoutes({ service, documents, guards }), { prefix: '/ogc' })
      },
  }
}
