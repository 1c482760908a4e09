import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { publishChange } from '../../platform/changes/feed.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { createSessionLocks } from '../../platform/database/locks/session-locks.ts'
import { newFileId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { diskSpace } from '../../platform/storage/folder/disk-space.ts'
import { dailyBytesStore } from './limits/daily-bytes-store.ts'
import { createUploadBudget } from './limits/upload-budget.ts'
import { type CountElsewhere, createUploadQuotas, limitUploads } from './limits/upload-limits.ts'
import { presignedPutRoutes, presignedRoutes } from './presigned/presigned-routes.ts'
import { type FilesKept, presignedService, type SignsPuts } from './presigned/presigned-service.ts'
import { reservationStore } from './presigned/reservation-store.ts'
import { type MaySee, resumableService } from './resumable/resumable-service.ts'
import { resumableStore } from './resumable/resumable-store.ts'
import { sharedUploadLocks } from './resumable/shared-upload-locks.ts'
import { spoolFolder } from './resumable/spool-folder.ts'
import { createTus } from './resumable/tus.ts'
import { tusRoutes } from './resumable/tus-routes.ts'
import { TusSpool } from './resumable/tus-spool.ts'

const SWEEP_MS = 10 * 60_000

type Deps = {
  files: { kept: FilesKept & { addresses: SignsPuts }; maySee: MaySee }
}

export type Uploads = ReturnType<typeof createUploads>

/** Uploads of more than one request: announced and then PUT to a signed URL, or resumable. */
export function createUploads(platform: Platform, { files: { kept: files, maySee } }: Deps) {
  const { config, database, databaseUrl, changes, objects, addresses, clock, log, metrics, sharedCounts } = platform
  const presigned = presignedService({
    store: reservationStore(database.kysely),
    objects,
    addresses: files.addresses,
    files,
    newFileId,
    maxBytes: config.CAIRN_UPLOAD_MAX_BYTES,
    clock,
    log,
  })

  const uploads = resumableStore(database.kysely)
  const spool = spoolFolder(join(config.CAIRN_DATA_DIR, 'resumable'))
  const freeSpace = diskSpace(config.CAIRN_DATA_DIR)
  const spoolSpace = async () => (await freeSpace()) - config.CAIRN_DISK_RESERVE_BYTES
  const resumable = resumableService({
    store: uploads,
    spool,
    objects,
    files,
    maySee,
    newFileId,
    freeSpace: spoolSpace,
    log,
  })
  const sessionLocks = createSessionLocks({ url: databaseUrl, applicationName: 'cairn-uploads' })
  const locks = sharedUploadLocks({
    locks: sessionLocks,
    askForIt: (id) => publishChange(database.kysely, 'upload-wanted', [id]),
  })
  changes.listen('upload-wanted', locks.wanted)
  const tus = createTus({
    datastore: new TusSpool({ uploads, spool, service: resumable, whileHeld: locks.whileHeld }),
    locker: locks.locker,
    service: resumable,
    publicUrl: addresses.publicUrl,
    addressOf: objects.addressOf,
  })

  /** Both sweeps run, even if one fails. */
  const sweep = async () => {
    const sweeps = await Promise.allSettled([presigned.sweep(), resumable.sweep()])
    for (const one of sweeps) if (one.status === 'rejected') throw one.reason
  }

  const budget = createUploadBudget({
    days: dailyBytesStore(database.pool),
    freeSpace,
    perDay: config.CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY,
    reserve: config.CAIRN_DISK_RESERVE_BYTES,
    clock,
  })

  let countElsewhere: CountElsewhere

  return {
    /** The budget of incoming bytes. */
    budget,
    /** Limits uploads. Register it after the request limits and before the routes. */
    limit(http: FastifyInstance, guards: Guards) {
      countElsewhere = limitUploads(http, { quotas: createUploadQuotas(config, sharedCounts), budget, guards, metrics })
    },
    finish: presigned.finish,
    sweep,
    close: sessionLocks.close,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const maxBytes = config.CAIRN_UPLOAD_MAX_BYTES
        await app.register(presignedRoutes({ service: presigned, guards, countElsewhere, maxBytes }), {
          prefix: '/api',
        })
        await app.register(presignedPutRoutes({ service: presigned, guards }), { prefix: '/files' })
        const limits = { known: config.CAIRN_RESUMABLE_MAX_BYTES, anonymous: maxBytes }
        const { addressOf } = objects
        const resumables = tusRoutes({ tus, service: resumable, guards, addressOf, limits })
        await app.register(resumables, { prefix: '/api/upload' })
        scheduleEvery(app, {
          everyMs: SWEEP_MS,
          work: sweep,
          onError: (error) => log.error({ err: error }, 'failed to purge expired uploads'),
        })
      },
  }
}
