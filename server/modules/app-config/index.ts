import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { LiveRecords } from '../../platform/live/live-records.ts'
import type { Platform } from '../../platform/platform.ts'
import { configRoutes } from './routes.ts'
import { configService } from './service.ts'
import { configStore } from './store.ts'

type Deps = {
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
}

/** The live configuration of apps. */
export function createAppConfig({ database, audit }: Platform, { assertRole }: Deps) {
  const service = configService({ store: configStore(database.kysely, audit), assertRole })
  return {
    routes:
      (guards: Guards, records: LiveRecords): FastifyPluginAsyncZod =>
      async (app) =>
        void (await app.register(configRoutes({ service, records, guards }), { prefix: '/api/v1/apps' })),
  }
}
