import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { newFileId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Tags } from '../tags/index.ts'
import { checkCommand } from './checks/check-command.ts'
import { CHECK_JOB, checkJob, requestChecks } from './checks/check-job.ts'
import { checkStore } from './checks/check-store.ts'
import { cornerService } from './corners/corner-service.ts'
import { cornerStore } from './corners/corner-store.ts'
import { cornerRoutes } from './corners/routes.ts'
import { photoReceiver } from './photo-receiver.ts'
import { photoPresenters } from './presenters.ts'
import { relocalizationPhotos } from './relocalization.ts'
import { photoRoutes } from './routes.ts'
import { type InsertFile, photoService } from './service.ts'
import { photoStore } from './store.ts'

type Deps = {
  files: { find: (key: string) => Promise<unknown>; insert: InsertFile }
  userExists: (id: string) => Promise<boolean>
  readTags: Tags['read']
}

export type Photos = ReturnType<typeof createPhotos>

/** Photos of ground control points, and relocalization photos for devices. */
export function createPhotos(
  { database, objects, images, jobs, jobDiskCheck, log }: Platform,
  { files, userExists, readTags }: Deps,
) {
  const db: Kysely<AnyTables> = database.kysely
  const isKnown = async (key: string) => (await files.find(key)) !== undefined
  const intake = photoReceiver({ images, objects, isKnown })
  const store = photoStore(db)
  const checks = checkStore(db)
  const presenters = photoPresenters(objects.addressOf)
  const request = requestChecks({ store: checks, jobs })
  const service = photoService({
    store,
    intake,
    insert: files.insert,
    userExists,
    presenters,
    requestChecks: request,
    wakeChecks: () => jobs.wake(CHECK_JOB),
    newFileId,
  })
  const { isShortForRows } = jobDiskCheck
  const { shown } = presenters
  jobs.define(checkJob({ store: checks, photosOf: store.ofFile, shown, objects, readTags, jobs, isShortForRows, log }))
  const corners = cornerService({ store, corners: cornerStore, shown })
  const relocalizations = relocalizationPhotos({
    images,
    objects,
    insert: async (file) => {
      await store.transaction(async (trx) => {
        await files.insert(trx, file)
        await request(trx, [file])
      })
      jobs.wake(CHECK_JOB)
    },
    checkOf: store.checkOf,
    isKnown,
    newFileId,
  })

  return {
    /** What GCPs need of their photos. */
    ofGcps: service.ofGcps,
    claim: service.claim,
    /** For the command line. */
    checks: checkCommand({ store: checks, request, ofGcps: service.ofGcps }),
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(photoRoutes({ service, intake, relocalizations, guards }), { prefix: '/api' })
        await app.register(cornerRoutes({ service: corners, guards }), { prefix: '/api' })
      },
  }
}
