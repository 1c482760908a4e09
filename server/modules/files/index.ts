import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import type { FormFile } from '../../platform/http/bodies/forms.ts'
import { newFileId } from '../../platform/ids.ts'
import type { LiveRecords } from '../../platform/live/live-records.ts'
import { recordFollower } from '../../platform/live/record-stream.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { cleanupOnFailure } from '../../platform/storage/cleanup-on-failure.ts'
import { arModels } from './ar/ar-models.ts'
import { arPageRoutes } from './ar/ar-page-routes.ts'
import { arStore } from './ar/ar-store.ts'
import { withoutOptions } from './conversion/conversion-key.ts'
import { CONVERT_JOB, createConversions } from './conversion/conversions.ts'
import { createConverter } from './conversion/converter.ts'
import { AR_TYPES } from './conversion/formats/convertible.ts'
import { anchorImages } from './conversion/options/anchor-images.ts'
import { maySee, type Viewer } from './objects/object-access.ts'
import { knownInSnapshot, objectInventoryStore } from './objects/object-inventory-store.ts'
import { objectRoutes } from './objects/object-routes.ts'
import { orphanedObjects } from './objects/orphans.ts'
import { signedUrls } from './objects/signed-url.ts'
import { storageCheck } from './objects/storage-check.ts'
import { unusedObjects } from './objects/unused-objects.ts'
import { filePresenters } from './presenters.ts'
import { fileRoutes } from './routes.ts'
import type { NewFile } from './schema.ts'
import { fileService } from './service.ts'
import { fileStore } from './store.ts'
import { type Finish, withPendingUploads } from './upload/pending-uploads.ts'
import { createUploadReceiver } from './upload/upload-receiver.ts'
import { userFileRoutes } from './user-files/routes.ts'
import { userFiles } from './user-files/service.ts'
import { userFileStore } from './user-files/store.ts'

/** How often all objects are checked for those without a record. */
const ORPHANS_MS = 60 * 60_000

type Deps = {
  /** Creates the records of announced files. */
  finish: Finish
}

/** How often unused objects are removed. */
const UNUSED_MS = 10 * 60_000

export type Files = ReturnType<typeof createFiles>

/** Uploads, downloads, models → USDZ, and USDZ → GLB. */
export function createFiles(platform: Platform, { finish }: Deps) {
  const { config, database, objects, removals, jobs, changes, secrets, clock, audit, log } = platform
  const records = fileStore(database.kysely)
  const files = withPendingUploads(records, finish)
  const maxBytes = config.CAIRN_UPLOAD_MAX_BYTES
  const convertSeconds = config.CAIRN_CONVERT_SECONDS
  const converter = createConverter({ maxBytes, seconds: convertSeconds })
  const images = anchorImages({ store: files, objects })
  const conversions = createConversions({
    store: files,
    objects,
    converter,
    images,
    jobs,
    jobDiskCheck: platform.jobDiskCheck,
    changes,
    groupOf: (sender) => secrets.sign('conversion-senders', sender),
    newFileId,
    log,
  })
  for (const job of conversions.jobs) jobs.define(job)
  const addresses = signedUrls({ objects, secrets, clock })
  const intake = createUploadReceiver({ objects, maxBytes })
  const service = fileService({
    store: files,
    objects,
    intake,
    conversions,
    images,
    converter,
    addresses,
    newFileId,
    isHeld: () => jobs.isHeld(CONVERT_JOB),
    convertSeconds,
  })

  const known = objectInventoryStore(database.pool)
  const orphans = orphanedObjects({ store: known, objects, clock, log })
  const removeUnused = unusedObjects({ pool: database.pool, objects, removals, log }).remove
  const ofUsers = userFiles({
    store: userFileStore(database.kysely, audit),
    arrive: files.get,
    plain: objects.addressOf,
    signed: addresses.look,
    removeUnused,
  })

  const models = arModels({
    files,
    store: arStore(database.kysely),
    addressOf: objects.addressOf,
    publicUrl: platform.addresses.publicUrl,
  })

  return {
    find: files.findByKey,
    /** Creates the records of announced files that have arrived. @throws 400 if one is not what was announced */
    async arrive(ids: number[]) {
      for (const id of ids) await files.get(id)
    },
    /** The bytes of a file of this user; undefined if there is none. */
    async readOf(id: number, userId: string) {
      const file = await files.get(id)
      return file?.userId === userId ? objects.read(file.key) : undefined
    },
    /** For files that arrive in other ways. */
    kept: {
      find: records.findByKey,
      insert: (transaction: Kysely<AnyTables>, file: NewFile) => fileStore(transaction).insert([file]),
      result: filePresenters(objects.addressOf).taken,
      addresses,
    },
    /** Whether the viewer may see the bytes of an object. */
    maySee: async (key: string, viewer: Viewer): Promise<boolean> => maySee(await records.access(key), viewer),
    /** For scans. */
    ofScans: {
      receive: (file: FormFile) => intake.receive(file),
      /** Runs the work and removes new objects that it did not record. @param keys may grow while it runs */
      recorded: <T>(keys: string[], work: () => Promise<T>): Promise<T> =>
        cleanupOnFailure(keys, work, { objects, isKnown: records.isKnown }),
      insert: (transaction: Kysely<AnyTables>, file: NewFile) => fileStore(transaction).insert([file]),
      newFileId,
      plain: objects.addressOf,
      signed: addresses.look,
      requestUsdz: (sha256: string, by: { sender: string }) => conversions.request(withoutOptions(sha256), by),
      maxBytes,
    },
    /** Removes the record, if any, and the bytes. */
    async remove(key: string) {
      const file = await records.findByKey(key)
      if (file) await files.remove(file.id)
      await objects.remove(key)
    },
    /** Removes objects that nothing refers to. */
    removeUnused,
    removeOrphans: orphans.remove,
    /** Queries for backups. */
    arTypes: AR_TYPES,
    inSnapshot: knownInSnapshot,
    checkStorage: storageCheck({ store: known, objects }),
    close: conversions.close,
    routes:
      (guards: Guards, live: LiveRecords): FastifyPluginAsyncZod =>
      async (app) => {
        const limits = { maxBytes, maxFiles: config.CAIRN_UPLOAD_MAX_FILES }
        const follow = recordFollower({ records: live, guards })
        await app.register(fileRoutes({ service, guards, limits, follow }), { prefix: '/api' })
        await app.register(userFileRoutes({ service: ofUsers, guards }), { prefix: '/api/v1' })
        await app.register(arPageRoutes({ models }), { prefix: '/ar' })
        await app.register(objectRoutes({ objects, store: files, addresses, guards }), { prefix: '/files' })
        scheduleEvery(app, {
          everyMs: UNUSED_MS,
          work: () => removeUnused(Number.POSITIVE_INFINITY),
          onError: (error) => log.error({ err: error }, 'failed to remove unused objects'),
        })
        scheduleEvery(app, {
          everyMs: ORPHANS_MS,
          work: orphans.remove,
          onError: (error) => log.error({ err: error }, 'failed to remove orphaned objects'),
        })
      },
  }
}
