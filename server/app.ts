import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { loadBoxIssuer } from './areas/accounts.ts'
import { appsArea } from './areas/apps.ts'
import { boxArea } from './areas/box.ts'
import { filesArea } from './areas/files.ts'
import { identityArea } from './areas/identity.ts'
import { photosArea } from './areas/photos.ts'
import { placesArea } from './areas/places.ts'
import { scansArea } from './areas/scans.ts'
import { scoringArea } from './areas/scoring.ts'
import { uploadsArea } from './areas/uploads.ts'
import { usageArea } from './areas/usage.ts'
import { usersArea } from './areas/users.ts'
import { webhooksArea } from './areas/webhooks.ts'
import { createGuards } from './platform/credentials/guards.ts'
import { patiently } from './platform/database/lanes.ts'
import { refuseEncodedBodies } from './platform/http/body-encodings.ts'
import { compressAnswers } from './platform/http/compression.ts'
import { serveConsole } from './platform/http/console.ts'
import { takeLanes } from './platform/http/database-lanes.ts'
import { keepDatabaseReserve } from './platform/http/database-reserve.ts'
import { createHttp } from './platform/http/http.ts'
import { answerOnce } from './platform/http/idempotency.ts'
import { idempotencyStore } from './platform/http/idempotency-store.ts'
import { createLimits, limitRequests, refusedFrom } from './platform/http/limits.ts'
import { describeApi, serveApiDocs } from './platform/http/openapi.ts'
import { operationsRoutes } from './platform/http/operations.ts'
import { readFromReplica } from './platform/http/replica-reads.ts'
import { createSharedCounts } from './platform/http/shared-counts.ts'
import { cutSlowReaders } from './platform/http/slow-readers.ts'
import { cutSlowSenders } from './platform/http/slow-senders.ts'
import { uploadDays } from './platform/http/upload-days.ts'
import { createUploadQuotas, limitUploads } from './platform/http/upload-limits.ts'
import { createUploadRoom } from './platform/http/upload-room.ts'
import { refuseWrongMethods } from './platform/http/wrong-methods.ts'
import { SESSION } from './platform/live/follow.ts'
import { createLive } from './platform/live/live.ts'
import { createPlatform, type PlatformParts } from './platform/parts.ts'
import { connectRedis } from './platform/redis/redis.ts'
import { release } from './platform/release.ts'
import { diskSpace } from './platform/storage/disk-space.ts'

/** Longer than any upload is on its way in. */
const LEFT_BEHIND_MS = 60 * 60_000
/** Requests, and after them jobs, have so long to end once no more are taken. */
const STOP_MS = 9_500

/** The whole service, put together by hand: the platform, then the areas (each: stores, services, routes), then HTTP. Nothing connects or listens before `start`. */
export async function createApp(parts: PlatformParts) {
  const platform = createPlatform(parts)
  const { config, log, metrics, addresses, database, changes, objects, images, jobs, presence, tokens, redis } =
    platform

  const people = identityArea(platform)
  const live = createLive({ changes, log, metrics })
  live.streams.endWith(SESSION, people.sessionsLeft)
  const scoring = scoringArea(platform, { streams: live.streams })
  const files = filesArea(platform, { finish: (where) => uploads.finish(where) })
  const uploads = uploadsArea(platform, { files: files.kept, maySee: files.maySee })
  const usage = usageArea(platform)
  const apps = appsArea(platform, {
    userExists: people.userExists,
    globalRankings: scoring.globalRankings,
    deletePlayer: scoring.ranks.calls.deletePlayer,
    forgetBoards: scoring.ranks.boards.forget,
    removeUnused: files.removeUnused,
    writeUsage: usage.write,
  })
  const webhooks = webhooksArea(platform, { checkOwner: apps.checkOwner })
  const users = usersArea(platform, files)
  const scans = scansArea(platform, { files })
  const photos = photosArea(platform, { files: files.kept, userExists: people.userExists })
  const room = createUploadRoom({
    days: uploadDays(database.pool),
    freeSpace: diskSpace(config.CAIRN_DATA_DIR),
    perDay: config.CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY,
    reserve: config.CAIRN_DISK_RESERVE_BYTES,
    clock: platform.clock,
  })
  const places = placesArea(platform, {
    files,
    photos,
    room,
    removeUnused: files.removeUnused,
    insertFile: (file) => files.kept.insert(database.kysely, file),
  })
  const box = boxArea(platform, { pinsHeld: () => places.pinIndex.pins, hasAccounts: people.box.isOn })
  const sharedCounts = redis && createSharedCounts({ redis, log, metrics })
  const limits = createLimits(config, sharedCounts)
  const guards = createGuards({
    openWrites: config.CAIRN_OPEN_WRITES,
    findApp: apps.findByKey,
    findUser: (token) => people.identity.findUser(token),
    refused: (request, refusal) => refusedFrom(limits, request, refusal),
  })

  const { boards } = scoring.ranks
  if (config.CAIRN_ROLE !== 'worker') changes.listen('ranks', (appIds) => void boards.unload(appIds), boards.unloadAll)

  let draining = false
  const http = await createHttp({ config, log, metrics, isDraining: () => draining })
  const refuseOtherMethods = refuseWrongMethods(http)
  http.addHook('preClose', async () => live.close())
  if (database.lanes) takeLanes(http, database.lanes)
  const { replica } = platform.reads
  if (replica) readFromReplica(http, { replica, guards, fresh: places.freshRoutes, telling: places.tellingRoutes })
  // A worker answers who watches it, and nobody else.
  if (config.CAIRN_ROLE !== 'worker') {
    cutSlowSenders(http, { seconds: config.CAIRN_SLOW_BODY_SECONDS, metrics })
    cutSlowReaders(http, { seconds: 2 * config.CAIRN_SLOW_BODY_SECONDS, metrics })
    usage.count(http, guards)
    limitRequests(http, { limits, guards })
    refuseEncodedBodies(http)
    const countElsewhere = limitUploads(http, {
      quotas: createUploadQuotas(config, sharedCounts),
      room,
      guards,
      metrics,
    })
    keepDatabaseReserve(http, { room: platform.databaseRoom, metrics })
    answerOnce(http, { store: idempotencyStore(database.pool), guards })
    compressAnswers(http)
    await describeApi(http)
    await http.register(people.routes(guards))
    await http.register(apps.routes(guards), { prefix: '/api/v1/apps' })
    await http.register(usage.routes(guards, apps), { prefix: '/api/v1/apps' })
    await http.register(webhooks.routes(guards), { prefix: '/api/v1/apps' })
    await http.register(scoring.routes(guards), { prefix: '/api/v1/apps' })
    const usersAndTheirPins: FastifyPluginAsync = async (app) => {
      places.answerWhenSeen(app)
      await app.register(users.routes(guards))
    }
    await http.register(usersAndTheirPins, { prefix: '/api/v1' })
    await http.register(box.routes(guards), { prefix: '/api/v1' })
    await http.register(scans.routes(guards, live.records), { prefix: '/api/v1' })
    await http.register(places.routes(guards, live.records), { prefix: '/api' })
    await http.register(places.gisRoutes, { prefix: '/ogc' })
    await http.register(photos.routes(guards), { prefix: '/api' })
    await http.register(files.routes(guards, live.records))
    await http.register(uploads.routes(guards, countElsewhere))
    await serveApiDocs(http)
    await serveConsole(http, {
      version: await release(),
      publicUrl: addresses.publicUrl,
      signIn: people.consoleSignIn,
      needsFirstAdmin: people.needsFirstAdmin,
      mapStyleUrl: config.CAIRN_MAP_STYLE_URL,
      mapHosts: config.CAIRN_MAP_HOSTS,
    })
  }
  operationsRoutes(http, {
    metrics,
    metricsToken: config.CAIRN_METRICS_TOKEN,
    isDraining: () => draining,
    checks: {
      database: () => patiently(() => sql`select 1`.execute(database.kysely)),
      objects: objects.check,
    },
  })
  refuseOtherMethods()

  return {
    http,
    jobs,
    identity: people.identity,
    localUser: people.localUser,
    /** What the command line does. */
    operator: {
      ...people.operator,
      apps: apps.operator,
      users: users.operator,
      ranks: scoring.rebuild,
      ...places.operator,
    },
    box: people.box,
    /** Checks the uploads that were never used, and forgets those that never came. */
    sweepUploads: uploads.sweep,
    objects,
    /** Where this process searches for pins. */
    pinIndex: places.pinIndex,
    /** Compares one search with the database. */
    checkPins: places.checkPins,
    /** Removes objects that nothing knows of. */
    removeOrphans: files.removeOrphans,
    /** Removes objects that nothing points to any more. */
    removeUnused: files.removeUnused,
    checkStorage: files.checkStorage,
    listensOn: addresses.listensOn,
    /** Ends what reads survey files, where `start` was never called. */
    endReaders: places.close,

    /** Starts the jobs and listens. @returns the address. */
    async start({ host, port }: { host: string; port: number }): Promise<string> {
      await objects.check()
      if (redis) await connectRedis(redis)
      const isAlone = await presence.join()
      // Before the first process listens no upload is under way: what is unfinished was left by one that was killed.
      const olderThanMs = isAlone ? 0 : LEFT_BEHIND_MS
      await Promise.all([objects, images].map((one) => one.sweep({ olderThanMs })))
      await tokens.ready()
      await jobs.start({ work: config.CAIRN_ROLE !== 'api', isAlone })
      if (config.CAIRN_ROLE !== 'api') await webhooks.start({ isAlone })
      await changes.start()
      replica?.start()
      if (config.CAIRN_ROLE !== 'worker') await scoring.ranks.start()
      await loadBoxIssuer(config)
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
      const until = performance.now() + STOP_MS
      await http.close()
      await files.close()
      await images.close()
      // Requests that wait for a job may have taken most of the time.
      await jobs.stop(Math.max(STOP_MS / 10, until - performance.now()))
      await webhooks.close()
      await uploads.close()
      await places.close()
      await scans.close()
      await scoring.ranks.stop()
      await changes.stop()
      await presence.leave()
      await platform.close()
    },

    /** Lets go of the database when `start` was never called. */
    async close() {
      await webhooks.close()
      await scoring.ranks.stop()
      await platform.close()
    },
  }
}
