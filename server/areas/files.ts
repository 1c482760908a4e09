import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import { fileAnswers } from '../modules/files/answers.ts'
import { type Finish, withArrivals } from '../modules/files/arrivals.ts'
import { createConversions } from '../modules/files/conversions.ts'
import { createConverter } from '../modules/files/converter.ts'
import { createIntake } from '../modules/files/intake.ts'
import { knownObjectStore } from '../modules/files/known-object-store.ts'
import { objectRoutes } from '../modules/files/object-routes.ts'
import { orphanedObjects } from '../modules/files/orphans.ts'
import { fileRoutes } from '../modules/files/routes.ts'
import type { NewFile } from '../modules/files/schema.ts'
import { fileService } from '../modules/files/service.ts'
import { signedAddresses } from '../modules/files/signed-address.ts'
import { storageCheck } from '../modules/files/storage-check.ts'
import { fileStore } from '../modules/files/store.ts'
import { unusedObjects } from '../modules/files/unused-objects.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import type { AnyTables } from '../platform/database/database.ts'
import { newFileId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

/** How often all objects are looked through for those that nothing knows of. */
const ORPHANS_MS = 60 * 60_000

type Needs = {
  /** Of files that were announced. */
  finish: Finish
}

/** Uploads, downloads, and GLB → USDZ. */
export function filesArea({ config, database, objects, jobs, secrets, log }: Platform, { finish }: Needs) {
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
    groupOf: (sender) => secrets.sign('conversion-senders', sender),
    newFileId,
    log,
  })
  jobs.define(conversions.job)
  const addresses = signedAddresses({ objects, secrets })
  const service = fileService({
    store: files,
    objects,
    intake: createIntake({ objects, maxBytes }),
    conversions,
    converter,
    addresses,
    newFileId,
    convertSeconds,
  })

  const known = knownObjectStore(database.pool)
  const orphans = orphanedObjects({ store: known, objects, log })

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
    /** Removes the record, if there is one, and the bytes. */
    async remove(key: string) {
      const file = await records.findByKey(key)
      if (file) await files.remove(file.id)
      await objects.remove(key)
    },
    /** Removes the objects that nothing points to any more. */
    removeUnused: unusedObjects({ pool: database.pool, objects, log }).remove,
    removeOrphans: orphans.remove,
    checkStorage: storageCheck({ store: known, objects }),
    close: conversions.close,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const limits = { maxBytes, maxFiles: config.CAIRN_UPLOAD_MAX_FILES }
        await app.register(fileRoutes({ service, guards, limits }), { prefix: '/api' })
        await app.register(objectRoutes({ objects, store: files, addresses }), { prefix: '/files' })
        doRegularly(app, {
          everyMs: ORPHANS_MS,
          work: orphans.remove,
          onError: (error) => log.error({ err: error }, 'objects that nothing knows of were not removed'),
        })
      },
  }
}
