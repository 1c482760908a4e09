import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import { noticePage, renderPage } from '../modules/accounts/page.ts'
import { fileAnswers } from '../modules/files/answers.ts'
import { arModels } from '../modules/files/ar-models.ts'
import { arPageRoutes } from '../modules/files/ar-page-routes.ts'
import { arStore } from '../modules/files/ar-store.ts'
import { type Finish, withArrivals } from '../modules/files/arrivals.ts'
import { CONVERT_JOB, createConversions } from '../modules/files/conversions.ts'
import { createConverter } from '../modules/files/converter.ts'
import { createIntake } from '../modules/files/intake.ts'
import { knownObjectStore } from '../modules/files/known-object-store.ts'
import { maySee, type Viewer } from '../modules/files/object-access.ts'
import { objectRoutes } from '../modules/files/object-routes.ts'
import { orphanedObjects } from '../modules/files/orphans.ts'
import { fileRoutes } from '../modules/files/routes.ts'
import type { NewFile } from '../modules/files/schema.ts'
import { fileService } from '../modules/files/service.ts'
import { signedAddresses } from '../modules/files/signed-address.ts'
import { storageCheck } from '../modules/files/storage-check.ts'
import { fileStore } from '../modules/files/store.ts'
import { unusedObjects } from '../modules/files/unused-objects.ts'
import { userFileRoutes } from '../modules/files/user-file-routes.ts'
import { userFileStore } from '../modules/files/user-file-store.ts'
import { userFiles } from '../modules/files/user-files.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import type { AnyTables } from '../platform/database/database.ts'
import type { FormFile } from '../platform/http/forms.ts'
import { newFileId } from '../platform/ids.ts'
import { recordFollower } from '../platform/live/follow.ts'
import type { LiveRecords } from '../platform/live/records.ts'
import type { Platform } from '../platform/parts.ts'
import { recorded } from '../platform/storage/recorded.ts'

/** How often all objects are looked through for those that nothing knows of. */
const ORPHANS_MS = 60 * 60_000

type Needs = {
  /** Of files that were announced. */
  finish: Finish
}

/** Uploads, downloads, and GLB → USDZ. */
export function filesArea(platform: Platform, { finish }: Needs) {
  const { config, database, objects, removals, jobs, changes, secrets, clock, audit, log } = platform
  const records = fileStore(database.kysely)
  const files = withArrivals(records, finish)
  const maxBytes = config.CAIRN_UPLOAD_MAX_BYTES
  const convertSeconds = config.CAIRN_CONVERT_SECONDS
  const converter = createConverter({ maxBytes, seconds: convertSeconds })
  const conversions = createConversions({
    store: files,
    objects,
    converter,
    jobs,
    room: platform.workRoom,
    changes,
    groupOf: (sender) => secrets.sign('conversion-senders', sender),
    newFileId,
    log,
  })
  jobs.define(conversions.job)
  const addresses = signedAddresses({ objects, secrets, clock })
  const intake = createIntake({ objects, maxBytes })
  const service = fileService({
    store: files,
    objects,
    intake,
    conversions,
    converter,
    addresses,
    newFileId,
    isHeld: () => jobs.isHeld(CONVERT_JOB),
    convertSeconds,
  })

  const known = knownObjectStore(database.pool)
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
    /** Looks at those of the files that were announced, have arrived and have no record yet. @throws 400 for one that is not what was announced */
    async arrive(ids: number[]) {
      for (const id of ids) await files.get(id)
    },
    /** For files that come in by other ways. */
    kept: {
      find: records.findByKey,
      insert: (transaction: Kysely<AnyTables>, file: NewFile) => fileStore(transaction).insert([file]),
      result: fileAnswers(objects.addressOf).taken,
      addresses,
    },
    /** Whether somebody may see the bytes of an object. */
    maySee: async (key: string, viewer: Viewer): Promise<boolean> => maySee(await records.access(key), viewer),
    /** For scans. */
    ofScans: {
      receive: (file: FormFile) => intake.receive(file),
      /** Removes new objects that the work did not make known. @param keys may grow meanwhile */
      recorded: <T>(keys: string[], work: () => Promise<T>): Promise<T> =>
        recorded(keys, work, { objects, isKnown: records.isKnown }),
      insert: (transaction: Kysely<AnyTables>, file: NewFile) => fileStore(transaction).insert([file]),
      newFileId,
      plain: objects.addressOf,
      signed: addresses.look,
      requestUsdz: conversions.request,
      maxBytes,
    },
    /** Removes the record, if there is one, and the bytes. */
    async remove(key: string) {
      const file = await records.findByKey(key)
      if (file) await files.remove(file.id)
      await objects.remove(key)
    },
    /** Removes the objects that nothing points to any more. */
    removeUnused,
    removeOrphans: orphans.remove,
    checkStorage: storageCheck({ store: known, objects }),
    close: conversions.close,
    routes:
      (guards: Guards, live: LiveRecords): FastifyPluginAsyncZod =>
      async (app) => {
        const limits = { maxBytes, maxFiles: config.CAIRN_UPLOAD_MAX_FILES }
        const follow = recordFollower({ records: live, guards })
        await app.register(fileRoutes({ service, guards, limits, follow }), { prefix: '/api' })
        await app.register(userFileRoutes({ service: ofUsers, guards }), { prefix: '/api/v1' })
        await app.register(arPageRoutes({ models, render: renderPage, notice: noticePage }), { prefix: '/ar' })
        await app.register(objectRoutes({ objects, store: files, addresses, guards }), { prefix: '/files' })
        doRegularly(app, {
          everyMs: ORPHANS_MS,
          work: orphans.remove,
          onError: (error) => log.error({ err: error }, 'objects that nothing knows of were not removed'),
        })
      },
  }
}
