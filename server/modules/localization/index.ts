import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Tags } from '../tags/index.ts'
import { cameraImages } from './camera-images.ts'
import { geoPoseRoutes } from './geopose/routes.ts'
import { locationProofs } from './proofs.ts'
import { localizationRoutes } from './routes.ts'
import { localizationService } from './service.ts'
import { localizationStore } from './store.ts'

/** Finds cameras by the surveyed AprilTags that they see. */
export function createLocalization({ reads, images, secrets }: Platform, { readTags }: { readTags: Tags['read'] }) {
  const proofs = locationProofs(secrets)
  const service = localizationService({ store: localizationStore(reads.database.kysely), readTags, proofs })
  const cameras = cameraImages({ service, images })
  return {
    readProof: proofs.read,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(localizationRoutes({ cameras, guards }), { prefix: '/api' })
        await app.register(geoPoseRoutes({ cameras, guards }))
      },
  }
}

export type { Proof } from './proofs.ts'
export type Localizations = ReturnType<typeof createLocalization>
