import { join } from 'node:path'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Config } from '../../platform/config.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { archiveFolder } from './archive/archive-folder.ts'
import { archiveRoutes } from './archive-routes.ts'
import { basemapRoutes } from './routes.ts'
import { basemapService } from './service.ts'
import { basemapStore } from './store.ts'

/** The folder of PMTiles archives. */
export const basemapFolder = (config: Config): string => join(config.CAIRN_DATA_DIR, 'basemap')

/** The basemap of the console: an archive of vector tiles, or a style on another host. */
export function createBasemap({ config, database, audit, log }: Platform) {
  const archives = archiveFolder({ file: config.CAIRN_BASEMAP, folder: basemapFolder(config), log })
  const service = basemapService({
    store: basemapStore(database.kysely, audit),
    archives,
    configuredStyle: config.CAIRN_MAP_STYLE_URL,
  })

  return {
    /** What maps of the console draw. */
    drawn: service.drawn,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        // An archive is read once for its hash: the sooner this begins, the sooner it is drawn.
        app.addHook('onListen', async () => void (await archives.look()))
        await app.register(basemapRoutes({ service, guards }), { prefix: '/api/v1' })
        await app.register(archiveRoutes({ archives }), { prefix: '/basemap' })
      },
  }
}
