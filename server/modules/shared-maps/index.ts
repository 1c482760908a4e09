import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { ConsoleOptions } from '../../platform/http/console/console.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scoring } from '../scoring/index.ts'
import { boardTop } from './board-top.ts'
import { sharedMapPageRoutes } from './page/page-routes.ts'
import { sharedMapRoutes, sharedMapViewRoutes } from './routes.ts'
import { sharedMapService } from './service.ts'
import { sharedMapStore } from './store.ts'

type Deps = {
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
  scoring: Pick<Scoring, 'boardOfType' | 'sortOrderOf'>
  /** The media types of files that have a page in AR. */
  arTypes: string[]
  /** What maps draw below. */
  basemap: ConsoleOptions['basemap']
}

/** Maps of chosen zones, pins and leaderboards, which anyone who has the link can see. */
export function createSharedMaps(
  { addresses, audit, config, database, searches }: Platform,
  { assertRole, scoring, arTypes, basemap }: Deps,
) {
  const { publicUrl } = addresses
  const service = sharedMapService({
    store: sharedMapStore({ db: database.kysely, searches: searches.kysely, audit, arTypes }),
    publicUrl,
    assertRole,
    topOf: boardTop(scoring.boardOfType),
    sortOrderOf: scoring.sortOrderOf,
  })
  return {
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(sharedMapRoutes({ service, guards }), { prefix: '/api/v1' })
        await app.register(sharedMapViewRoutes({ service }), { prefix: '/api/v1' })
        await app.register(sharedMapPageRoutes({ service, basemap, mapHosts: config.CAIRN_MAP_HOSTS, publicUrl }), {
          prefix: '/m',
        })
      },
  }
}
