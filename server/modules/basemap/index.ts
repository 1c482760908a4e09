import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Config } from '../../platform/config.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { archiveFolder } from './archive/archive-folder.ts'
import { uploadedArchives } from './archive/upload-archive.ts'
import { archiveRoutes } from './archive-routes.ts'
import { basemapRoutes } from './routes.ts'
import { basemapService } from './service.ts'
import { basemapStore } from './store.ts'

/** The folder of PMTiles archives. */
export const basemapFolder = (config: Config): string => join(config.CAIRN_DATA_DIR, 'basemap')

type Deps = {
  /** The bytes of an uploaded file of this user; undefined if there is none. */
  readUpload: (fileId: number, userId: string) => Promise<Readable | undefined>
}

/** The basemap of the console: an archive of vector tiles, or a style on another host. */
export function createBasemap({ config, database, audit, log }: Platform, { readUpload }: Deps) {
  const archives = archiveFolder({ file: config.CAIRN_BASEMAP, folder: basemapFolder(config), log })
  const service = basemapService({
    store: basemapStore(database.kysely, audit),
    archives,
    configuredStyle: config.CAIRN_MAP_STYLE_URL,
  })

  const uploads = uploadedArchives({
    read: readUpload,
    folder: basemapFolder(config),
    configuredFile: config.CAIRN_BASEMAP,
    audit,
  })

  return {
    /** What maps of the console draw. */
    drawn: service.drawn,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        // An archive is read once for its hash: the sooner this begins, the sooner it is drawn.
        app.addHook('onListen', async () => void (await archives.look()))
        await app.register(basemapRoutes({ service, uploads, guards }), { prefix: '/api/v1' })
        await app.register(archiveRoutes({ archives }), { prefix: '/basemap' })
      },
  }
}
