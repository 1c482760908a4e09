import type { FastifyPluginAsync } from 'fastify'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { placeNameRoutes } from './routes.ts'
import { placeNameStore } from './store.ts'

/** Finds pins, ground control points and zones by name. */
export function createPlaceNames({ reads }: Platform) {
  const store = placeNameStore(reads.database.kysely)
  return {
    routes:
      (guards: Guards): FastifyPluginAsync =>
      async (app) => {
        await app.register(placeNameRoutes({ store, guards }), { prefix: '/api/location' })
      },
  }
}
