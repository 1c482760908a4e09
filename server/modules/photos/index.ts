import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { newFileId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { photoReceiver } from './photo-receiver.ts'
import { relocalizationPhotos } from './relocalization.ts'
import { photoRoutes } from './routes.ts'
import { type InsertFile, photoService } from './service.ts'
import { photoStore } from './store.ts'

type Deps = {
  files: { find: (key: string) => Promise<unknown>; insert: InsertFile }
  userExists: (id: string) => Promise<boolean>
}

export type Photos = ReturnType<typeof createPhotos>

/** Photos of ground control points, and relocalization photos for devices. */
export function createPhotos({ database, objects, images }: Platform, { files, userExists }: Deps) {
  const db: Kysely<AnyTables> = database.kysely
  const isKnown = async (key: string) => (await files.find(key)) !== undefined
  const intake = photoReceiver({ images, objects, isKnown })
  const service = photoService({
    store: photoStore(db),
    intake,
    insert: files.insert,
    userExists,
    addressOf: objects.addressOf,
    newFileId,
  })
  const relocalizations = relocalizationPhotos({
    images,
    objects,
    insert: (file) => files.insert(db, file),
    isKnown,
    newFileId,
  })

  return {
    /** What GCPs need of their photos. */
    ofGcps: service.ofGcps,
    claim: service.claim,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(photoRoutes({ service, intake, relocalizations, guards }), { prefix: '/api' })
      },
  }
}
