import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Tags } from '../tags/index.ts'
import { cameraImages } from './camera-images.ts'
import { geoPoseRoutes } from './geopose/routes.ts'
import { localizationRoutes } from './routes.ts'
import { localizationService } from './service.ts'
import { localizationStore } from './store.ts'

/** Finds cameras by the surveyed April tags that they see. */
export function createLocalization({ reads, images }: Platform, { readTags }: { readTags: Tags['read'] }) {
  const service = localizationService({ store: localizationStore(reads.database.kysely), readTags })
  const cameras = cameraImages({ service, images })
  return {
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(localizationRoutes({ cameras, guards }), { prefix: '/api' })
        await app.register(geoPoseRoutes({ cameras, guards }))
      },
  }
}
