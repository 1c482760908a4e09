import { sql } from 'kysely'
import { appsArea } from './areas/apps.ts'
import { filesArea } from './areas/files.ts'
import { identityArea } from './areas/identity.ts'
import { photosArea } from './areas/photos.ts'
import { placesArea } from './areas/places.ts'
import { scoringArea } from './areas/scoring.ts'
import { uploadsArea } from './areas/uploads.ts'
import { usersArea } from './areas/users.ts'
import { createGuards } from './platform/credentials/guards.ts'
import { createHttp } from './platform/http/http.ts'
import { answerOnce } from './platform/http/idempotency.ts'
import { idempotencyStore } from './platform/http/idempotency-store.ts'
import { createLimits, limitRequests, refusedFrom } from './platform/http/limits.ts'
import { describeApi, serveApiDocs } from './platform/http/openapi.ts'
import { operationsRoutes } from './platform/http/operations.ts'
import { cutSlowReaders } from './platform/http/slow-readers.ts'
import { cutSlowSenders } from './platform/http/slow-senders.ts'
import { uploadDays } from './platform/http/upload-days.ts'
import { createUploadQuotas, limitUploads } from './platform/http/upload-limits.ts'
import { createUploadRoom } from './platform/http/upload-room.ts'
import { createPlatform, type PlatformParts } from './platform/parts.ts'
import { diskSpace } from './platform/storage/disk-space.ts'

/** The whole service, put together by hand: the platform, then the areas (each: stores, services, routes), then HTTP. Nothing connects or listens before `start`. */
export async function createApp(parts: PlatformParts) {
  const platform = createPlatform(parts)
  const { config, log, metrics, addresses, database, searches, objects, images, jobs, tokens } = platform

  const people = identityArea(platform)
  const scoring = scoringArea(platform)
  const files = filesArea(platform, { finish: (where) => uploads.finish(where) })
  const uploads = uploadsArea(platform, { files: files.kept })
  const apps = appsArea(platform, {
    userExists: people.userExists,
    globalRankings: scoring.globalRankings,
    deletePlayer: scoring.ranks.calls.deletePlayer,
    forgetBoards: (appId) => scoring.ranks.boards.unload([appId]),
    removeUnused: files.removeUnused,
  })
  const users = usersArea(platform, files)
  const photos = photosArea(platform, { files: files.kept, userExists: people.userExists })
  const room = createUploadRoom({
    days: uploadDays(database.pool),
    freeSpace: diskSpace(config.CAIRN_DATA_DIR),
    perDay: config.CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY,
    reserve: config.CAIRN_DISK_RESERVE_BYTES,
  })
  const places = placesArea(platform, { files, photos, room, removeUnused: files.removeUnused })
  const limits = createLimits(config)
  const guards = createGuards({
    openWrites: config.CAIRN_OPEN_WRITES,
    findApp: apps.findByKey,
    findUser: (token) => people.identity.findUser(token),
    refused: (request, refusal) => refusedFrom(limits, request, refusal),
  })

  let draining = false
  const http = await createHttp({ config, log, metrics, isDraining: () => draining })
  cutSlowSenders(http, { seconds: config.CAIRN_SLOW_BODY_SECONDS, metrics })
  cutSlowReaders(http, { seconds: 2 * config.CAIRN_SLOW_BODY_SECONDS, metrics })
  limitRequests(http, { limits, guards })
  const countElsewhere = limitUploads(http, {
    quotas: createUploadQuotas(config),
    room,
    guards,
    metrics,
  })
  answerOnce(http, { store: idempotencyStore(database.pool), guards })
  await describeApi(http)
  await http.register(people.routes(guards))
  await http.register(apps.routes(guards), { prefix: '/api/v1/apps' })
  await http.register(scoring.routes(guards), { prefix: '/api/v1/apps' })
  await http.register(users.routes(guards), { prefix: '/api/v1' })
  await http.register(places.routes(guards), { prefix: '/api' })
  await http.register(places.gisRoutes, { prefix: '/ogc' })
  await http.register(photos.routes(guards), { prefix: '/api' })
  await http.register(files.routes(guards))
  await http.register(uploads.routes(guards, countElsewhere))
  await serveApiDocs(http)
  operationsRoutes(http, {
    metrics,
    metricsToken: config.CAIRN_METRICS_TOKEN,
    checks: {
      running: async () => {
        if (draining) throw new Error('stopping')
      },
      database: () => sql`select 1`.execute(database.kysely),
      objects: objects.check,
    },
  })

  return {
    http,
    identity: people.identity,
    localUser: people.localUser,
    operator: people.operator,
    box: people.box,
    /** Checks the uploads that were never used, and forgets those that never came. */
    sweepUploads: uploads.sweep,
    objects,
    /** Removes objects that nothing knows of. */
    removeOrphans: files.removeOrphans,
    checkStorage: files.checkStorage,

    /** Starts the jobs and listens. @returns the address. */
    async start({ host, port }: { host: string; port: number }): Promise<string> {
      await objects.check()
      // No upload is under way before this: what is unfinished was left by a process that was killed.
      await Promise.all([objects, images].map((one) => one.sweep({ olderThanMs: 0 })))
      await tokens.ready()
      // One process serves a database: nobody else works on its jobs.
      await jobs.start({ work: true, isAlone: true })
      scoring.ranks.start()
      const address = await http.listen({ host, port })
      addresses.listensOn(address)
      return address
    },

    /** Says at /readyz that no more requests should come here, and answers those that do. */
    drain() {
      draining = true
    },

    /** Takes no new connections, finishes what was accepted, then lets go of the database. */
    async stop() {
      await http.close()
      await files.close()
      await images.close()
      await jobs.stop()
      await places.close()
      await scoring.ranks.stop()
      await Promise.all([database.close(), searches.close()])
    },

    /** Lets go of the database when `start` was never called. */
    async close() {
      await scoring.ranks.stop()
      await Promise.all([database.close(), searches.close()])
    },
  }
}
