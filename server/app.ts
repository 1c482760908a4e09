import { join } from 'node:path'
import { sql } from 'kysely'
import { appRoutes } from './modules/apps/routes.ts'
import { appService } from './modules/apps/service.ts'
import { appStore } from './modules/apps/store.ts'
import { createConversions } from './modules/files/conversions.ts'
import { createConverter } from './modules/files/converter.ts'
import { createIntake } from './modules/files/intake.ts'
import { objectRoutes } from './modules/files/object-routes.ts'
import { fileRoutes } from './modules/files/routes.ts'
import { fileService } from './modules/files/service.ts'
import { signedAddresses } from './modules/files/signed-address.ts'
import { fileStore } from './modules/files/store.ts'
import { csvRoutes } from './modules/gcps/csv-routes.ts'
import { csvService } from './modules/gcps/csv-service.ts'
import { csvStore } from './modules/gcps/csv-store.ts'
import { importJob } from './modules/gcps/import.ts'
import { importStore } from './modules/gcps/import-store.ts'
import { gcpRoutes } from './modules/gcps/routes.ts'
import { gcpService } from './modules/gcps/service.ts'
import { gcpStore } from './modules/gcps/store.ts'
import { identityTokens } from './modules/identity/identity-token.ts'
import { identityRoutes } from './modules/identity/routes.ts'
import { identityService } from './modules/identity/service.ts'
import { sessionStore } from './modules/identity/store.ts'
import { pinSearch } from './modules/places/pin-search.ts'
import { pinRoutes, zoneRoutes } from './modules/places/routes.ts'
import { pinService, zoneService } from './modules/places/service.ts'
import { pinStore, zoneStore } from './modules/places/store.ts'
import { playerRoutes } from './modules/players/routes.ts'
import { playerService } from './modules/players/service.ts'
import { playerStore } from './modules/players/store.ts'
import { gameTypes } from './modules/scoring/game-types.ts'
import { rankingStore } from './modules/scoring/ranking-store.ts'
import { rankingService } from './modules/scoring/rankings.ts'
import { openRanks } from './modules/scoring/ranks.ts'
import { scoringRoutes } from './modules/scoring/routes.ts'
import { scoreService } from './modules/scoring/scores.ts'
import { sessionService } from './modules/scoring/service.ts'
import { sessionStore as gameSessionStore } from './modules/scoring/store.ts'
import { typeStore } from './modules/scoring/type-store.ts'
import { userStore } from './modules/users/store.ts'
import { createAddresses } from './platform/addresses.ts'
import type { Config } from './platform/config.ts'
import { openDatabase } from './platform/database.ts'
import { createGuards } from './platform/guards.ts'
import { createHttp } from './platform/http.ts'
import { newFileId, newId } from './platform/ids.ts'
import { createJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { folderObjects } from './platform/objects.ts'
import { describeApi, serveApiDocs } from './platform/openapi.ts'
import { operationsRoutes } from './platform/operations.ts'
import { createSecrets } from './platform/secrets.ts'
import { createTokens } from './platform/tokens.ts'

/** The whole service, put together by hand: stores, then services, then routes. Nothing connects or listens before `start`. */
export async function createApp({
  config,
  databaseUrl,
  secret,
  log,
}: {
  config: Config
  databaseUrl: string
  secret: string
  log: Log
}) {
  const metrics = createMetrics()
  const addresses = createAddresses(config.CAIRN_PUBLIC_URL)
  const secrets = createSecrets(secret)
  const database = openDatabase({ url: databaseUrl, applicationName: 'cairn', max: 16, statementTimeoutMs: 30_000 })
  const objects = folderObjects({ folder: join(config.CAIRN_DATA_DIR, 'objects'), publicUrl: addresses.publicUrl })
  const jobs = createJobs({ url: databaseUrl, log })
  const tokens = createTokens({ database, secrets, issuer: config.CAIRN_PUBLIC_URL ?? 'cairn' })

  const ranks = openRanks({
    url: databaseUrl,
    processId: newId(),
    onError: (error) => log.error({ err: error }, 'a rank index could not be loaded or checked'),
    onMismatch: (difference) => log.error(difference, 'a rank differed from the database; its board is rebuilt'),
  })
  metrics.gauge(
    'cairn_rank_mismatches',
    'Ranks that differed from the database since the start',
    () => ranks.counters.mismatches,
  )

  const users = userStore(database.kysely)
  const players = playerStore(database.kysely)

  const identity = identityService({
    sessions: sessionStore(database.kysely),
    tokens,
    identityTokens: identityTokens(config.CAIRN_OIDC),
    newId,
    adminEmails: config.CAIRN_ADMIN_EMAILS,
    users: { save: (user) => users.upsert(newId(), user), get: users.get, bindAdminEmail: users.bindAdminEmail },
  })
  const apps = appService({ store: appStore(database.kysely), secrets, newId })
  const types = typeStore(database.kysely)
  const typesOfGames = gameTypes({ store: types, newId })
  const gameSessions = sessionService({ store: gameSessionStore(database.kysely), types: typesOfGames, newId })
  const scores = scoreService({ save: ranks.writer.save, saveBatch: ranks.calls.saveBatch, session: gameSessions.get })
  const rankingsInSql = rankingStore(database.pool)
  const rankings = rankingService({ store: rankingsInSql, types: typesOfGames, aboveInMemory: ranks.boards.above })
  const playersOfApps = playerService({
    store: players,
    newId,
    userExists: async (id) => (await users.get(id)) !== undefined,
    globalRankings: rankings.allOfPlayer,
  })
  const zones = zoneStore(database.kysely)
  const pinsInSql = pinStore(database.kysely)
  const pins = pinService({ store: pinsInSql, zones, search: pinSearch(database.pool) })

  const tagMetres = config.CAIRN_APRIL_TAG_METRES
  const gcps = gcpStore(database.kysely, { pinsOf: pinsInSql.ofGcps })
  const gcpsOfZones = gcpService({ store: gcps, findZone: zones.get, tagMetres })
  const files = fileStore(database.kysely)
  const filesOfSurveys = {
    find: files.findByKey,
    async remove(key: string) {
      const file = await files.findByKey(key)
      if (file) await files.remove(file.id)
      await objects.remove(key)
    },
  }
  const uploads = csvStore(database.kysely)
  const surveys = csvService({ store: uploads, findZone: zones.get, objects, files: filesOfSurveys, jobs, newId })
  jobs.define(importJob({ uploads, store: importStore(database.kysely), findZone: zones.get, objects, tagMetres }))

  const maxBytes = config.CAIRN_UPLOAD_MAX_BYTES
  const convertSeconds = config.CAIRN_CONVERT_SECONDS
  const converter = createConverter({ maxBytes, seconds: convertSeconds })
  const conversions = createConversions({ store: files, objects, converter, jobs, newFileId, log })
  jobs.define(conversions.job)
  const signed = signedAddresses({ objects, secrets })
  const filesOfUsers = fileService({
    store: files,
    objects,
    intake: createIntake({ objects, maxBytes }),
    conversions,
    converter,
    addresses: signed,
    newFileId,
    convertSeconds,
  })
  const guards = createGuards({ findApp: apps.findByKey, findUser: (token) => identity.findUser(token) })

  let draining = false
  const http = await createHttp({ config, log, metrics, isDraining: () => draining })
  await describeApi(http)
  await http.register(identityRoutes({ service: identity, tokens, guards }))
  await http.register(appRoutes({ service: apps, guards }), { prefix: '/api/v1/apps' })
  await http.register(playerRoutes({ store: players, service: playersOfApps, guards }), { prefix: '/api/v1/apps' })
  const scoring = {
    typeStore: types,
    types: typesOfGames,
    sessions: gameSessions,
    scores,
    rankingStore: rankingsInSql,
    rankings,
  }
  await http.register(scoringRoutes({ ...scoring, guards }), { prefix: '/api/v1/apps' })
  await http.register(zoneRoutes({ store: zones, service: zoneService({ store: zones }), guards }), { prefix: '/api' })
  await http.register(pinRoutes({ service: pins, guards }), { prefix: '/api' })
  await http.register(gcpRoutes({ store: gcps, service: gcpsOfZones, guards }), { prefix: '/api' })
  await http.register(csvRoutes({ service: surveys, guards }), { prefix: '/api' })
  const formLimits = { maxBytes, maxFiles: config.CAIRN_UPLOAD_MAX_FILES }
  await http.register(fileRoutes({ service: filesOfUsers, guards, limits: formLimits }), { prefix: '/api' })
  await http.register(objectRoutes({ objects, store: files, addresses: signed }), { prefix: '/files' })
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
    identity,

    /** A user without an identity provider: made if it is new. Roles, when given, replace those it has. */
    localUser: (name: string, roles?: string[]) => users.upsertLocal(newId(), name, roles),

    /** Starts the jobs and listens. @returns the address. */
    async start({ host, port }: { host: string; port: number }): Promise<string> {
      await objects.check()
      // No upload is under way before this: what is unfinished was left by a process that was killed.
      await objects.sweep({ olderThanMs: 0 })
      await tokens.ready()
      await jobs.start({ work: true })
      ranks.start()
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
      await conversions.close()
      await jobs.stop()
      await ranks.stop()
      await database.close()
    },

    /** Lets go of the database when `start` was never called. */
    async close() {
      await ranks.stop()
      await database.close()
    },
  }
}
