import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { storageRoutes } from './routes.ts'
import { storageService } from './service.ts'
import { storageStore } from './store.ts'

/** JSON that games store for their players. */
export function createPlayerData({ database, quotas }: Platform) {
  const service = storageService({ store: storageStore(database.kysely), newId, quotas })
  return {
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) =>
        void (await app.register(storageRoutes({ service, guards }), { prefix: '/api/v1/apps' })),
  }
}
