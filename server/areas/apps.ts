import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appRoutes } from '../modules/apps/routes.ts'
import { appService } from '../modules/apps/service.ts'
import { appStore } from '../modules/apps/store.ts'
import { playerRoutes } from '../modules/players/routes.ts'
import type { GlobalRanking } from '../modules/players/schema.ts'
import { playerService } from '../modules/players/service.ts'
import { playerStore } from '../modules/players/store.ts'
import type { Guards } from '../platform/guards.ts'
import { newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

type Needs = {
  userExists: (id: string) => Promise<boolean>
  globalRankings: (appId: string, playerId: string) => Promise<GlobalRanking[]>
}

/** Apps with their keys, and the players of apps. */
export function appsArea({ database, secrets }: Platform, { userExists, globalRankings }: Needs) {
  const apps = appService({ store: appStore(database.kysely), secrets, newId })
  const store = playerStore(database.kysely)
  const players = playerService({ store, newId, userExists, globalRankings })

  return {
    findByKey: apps.findByKey,
    /** Mounted under /api/v1/apps. */
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(appRoutes({ service: apps, guards }))
        await app.register(playerRoutes({ store, service: players, guards }))
      },
  }
}
