import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { presignedPutRoutes, presignedRoutes } from '../modules/uploads/presigned-routes.ts'
import { type FilesKept, presignedService, type SignsPuts } from '../modules/uploads/presigned-service.ts'
import { reservationStore } from '../modules/uploads/reservation-store.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Guards } from '../platform/guards.ts'
import { newFileId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

const SWEEP_MS = 10 * 60_000

type Needs = { files: FilesKept & { addresses: SignsPuts } }

/** Uploads that are more than one request: announced and then put to a signed address, or resumed where they broke off. */
export function uploadsArea({ config, database, objects, log }: Platform, { files }: Needs) {
  const presigned = presignedService({
    store: reservationStore(database.kysely),
    objects,
    addresses: files.addresses,
    files,
    newFileId,
    maxBytes: config.CAIRN_UPLOAD_MAX_BYTES,
    log,
  })

  return {
    finish: presigned.finish,
    sweep: presigned.sweep,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const maxBytes = config.CAIRN_UPLOAD_MAX_BYTES
        await app.register(presignedRoutes({ service: presigned, guards, maxBytes }), { prefix: '/api' })
        await app.register(presignedPutRoutes({ service: presigned, guards }), { prefix: '/files' })
        doRegularly(app, {
          everyMs: SWEEP_MS,
          work: presigned.sweep,
          onError: (error) => log.error({ err: error }, 'announced uploads were not swept'),
        })
      },
  }
}
