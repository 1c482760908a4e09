import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import { photoIntake } from '../modules/photos/photo-intake.ts'
import { relocalizationPhotos } from '../modules/photos/relocalization.ts'
import { photoRoutes } from '../modules/photos/routes.ts'
import { photoService } from '../modules/photos/service.ts'
import { photoStore } from '../modules/photos/store.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import type { AnyTables } from '../platform/database/database.ts'
import { newFileId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

type Needs = {
  files: {
    find: (key: string) => Promise<unknown>
    insert: Parameters<typeof photoService>[0]['insert']
  }
  userExists: (id: string) => Promise<boolean>
}

/** Photos of ground control points, and those by which devices find out where they are. */
export function photosArea({ database, objects, images }: Platform, { files, userExists }: Needs) {
  const db: Kysely<AnyTables> = database.kysely
  const isKnown = async (key: string) => (await files.find(key)) !== undefined
  const intake = photoIntake({ images, objects, isKnown })
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
    /** Mounted under /api. */
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(photoRoutes({ service, intake, relocalizations, guards }))
      },
  }
}
