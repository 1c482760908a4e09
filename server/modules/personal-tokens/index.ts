import type { FastifyPluginAsync } from 'fastify'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { personalTokenRoutes } from './routes.ts'
import { personalTokenService } from './service.ts'
import { personalTokenStore } from './store.ts'

/** Tokens with which programs that cannot sign in, such as QGIS, act for a user. */
export function createPersonalTokens({ database, audit }: Platform) {
  const service = personalTokenService(personalTokenStore(database.kysely, audit))
  return {
    findUser: service.findUser,
    left: service.left,
    routes:
      (guards: Guards): FastifyPluginAsync =>
      async (app) => {
        await app.register(personalTokenRoutes({ service, guards }), { prefix: '/api/v1' })
      },
    /** Lets personal tokens call the operations of these plugins. */
    admittedBy:
      (...plugins: FastifyPluginAsync[]): FastifyPluginAsync =>
      async (app) => {
        app.addHook('onRoute', (route) => {
          route.config = { personalToken: true, ...route.config } as never
        })
        for (const plugin of plugins) await app.register(plugin)
      },
  }
}
