import { lifecycle } from './lifecycle.ts'
import { createAccounts } from './modules/accounts/index.ts'
import { createAdmin } from './modules/admin/index.ts'
import { createAlerts } from './modules/alerts/index.ts'
import { createAppConfig } from './modules/app-config/index.ts'
import { createApps } from './modules/apps/index.ts'
import { createAudit } from './modules/audit/index.ts'
import { createBackups } from './modules/backups/index.ts'
import { createBasemap } from './modules/basemap/index.ts'
import { createExports } from './modules/exports/index.ts'
import { createFeatures } from './modules/features/index.ts'
import { createFences } from './modules/fences/index.ts'
import { createFiles } from './modules/files/index.ts'
import { createGcps, lockTags } from './modules/gcps/index.ts'
import { createIdentity } from './modules/identity/index.ts'
import { createLocalization } from './modules/localization/index.ts'
import { createPersonalTokens } from './modules/personal-tokens/index.ts'
import { createPhotos } from './modules/photos/index.ts'
import { createPins } from './modules/pins/index.ts'
import { createPlaceNames } from './modules/place-names/index.ts'
import { createPlayerData } from './modules/player-data/index.ts'
import { createPlayerTokenModule } from './modules/player-tokens/index.ts'
import { createPlayers } from './modules/players/index.ts'
import { createReviews } from './modules/reviews/index.ts'
import { createScans } from './modules/scans/index.ts'
import { createScoring } from './modules/scoring/index.ts'
import { createSharedMaps } from './modules/shared-maps/index.ts'
import { createSurveys } from './modules/surveys/index.ts'
import { createTags } from './modules/tags/index.ts'
import { createTiles } from './modules/tiles/index.ts'
import { createUploads } from './modules/uploads/index.ts'
import { createUsage } from './modules/usage/index.ts'
import { createUsers } from './modules/users/index.ts'
import { createWebhooks, sealedSecret } from './modules/webhooks/index.ts'
import { createZones } from './modules/zones/index.ts'
import { createGuards } from './platform/credentials/guards.ts'
import { isPersonalToken } from './platform/credentials/personal-tokens.ts'
import { refusedFrom } from './platform/http/limits/limits.ts'
import { createServer } from './platform/http/server.ts'
import { createLive } from './platform/live/live.ts'
import { createPlatform, openConfiguredRedis, type PlatformOptions } from './platform/platform.ts'

/**
 * Assembles the service: the platform, the modules with what each needs of others, then HTTP. Nothing connects or
 * listens before `start`.
 */
export async function createApp(parts: PlatformOptions) {
  const platform = createPlatform({ ...parts, redis: await openConfiguredRedis(parts) })
  const live = createLive(platform)
  const { streams, records } = live

  const files = createFiles(platform, { finish: (where) => uploads.finish(where) })
  const { removeUnused } = files
  const uploads = createUploads(platform, { files })
  const audit = createAudit(platform)
  const playersChanged = () => {
    players.forgetAll()
    return keptTops?.discardAll()
  }
  const users = createUsers(platform, { removeUnused, playersChanged })
  const accounts = createAccounts(platform, { users })
  const personalTokens = createPersonalTokens(platform)
  const identity = createIdentity(platform, { users, accounts, streams, tokensLeft: personalTokens.left })
  const usage = createUsage(platform)
  const scoring = createScoring(platform, { streams, played: usage.played })
  const { boards, calls, tops, topsElsewhere } = scoring.ranks
  const keptTops = tops ?? topsElsewhere
  const apps = createApps(platform, {
    streams,
    forgetBoards: boards.forget,
    removeUnused,
    writeUsage: usage.write,
    newSecrets: { ofWebhook: () => sealedSecret(platform.secrets), ofScoreHook: scoring.newHookSecret },
  })
  const players = createPlayers(platform, {
    userExists: users.exists,
    globalRankings: scoring.globalRankings,
    deletePlayer: calls.deletePlayer,
    setStanding: calls.setStanding,
    setAttributes: calls.setAttributes,
    playerChanged: (appId, id) => keptTops?.playerChanged(appId, id),
    removeUnused,
  })
  const playerData = createPlayerData(platform)
  const appConfig = createAppConfig(platform, { assertRole: apps.assertRole })
  const playerTokens = createPlayerTokenModule(platform, { streams })
  const webhooks = createWebhooks(platform, { assertRole: apps.assertRole })
  const scans = createScans(platform, { files })
  const tags = createTags()
  const photos = createPhotos(platform, { files: files.kept, userExists: users.exists, readTags: tags.read })
  const localization = createLocalization(platform, { readTags: tags.read })
  const zones = createZones(platform, { removeUnused })
  const fences = createFences(platform, { zones, localization, scoring, streams })
  const reviews = createReviews(platform, { scoring, fences })
  const pins = createPins(platform, { zones, removeUnused })
  const placeNames = createPlaceNames(platform)
  const surveys = createSurveys(platform, { zones, files, uploadBudget: uploads.budget, lockTags })
  const gcps = createGcps(platform, { zones, pins, photos, files, bringHeight: surveys.bringHeight })
  const exports = createExports(platform, { zones, photos })
  const features = createFeatures(platform, { zones, pins, gcps, systems: exports.systems })
  const basemap = createBasemap(platform, { readUpload: files.readOf })
  const tiles = createTiles(platform)
  const sharedMaps = createSharedMaps(platform, {
    assertRole: apps.assertRole,
    scoring,
    arTypes: files.arTypes,
    basemap: basemap.drawn,
  })
  const backups = createBackups(platform, { secret: parts.secret, known: files.inSnapshot })
  const box = createAdmin(platform, {
    pinsHeld: () => pins.index.pins,
    hasAccounts: accounts.isOn,
    backups: backups.state,
  })

  const alerts = createAlerts(platform, {
    assertRole: apps.assertRole,
    assertReader: apps.assertReader,
    quotasOf: apps.quotasOf,
    attentionOf: usage.attentionOf,
    health: box.health,
  })

  const guards = createGuards({
    openWrites: platform.config.CAIRN_OPEN_WRITES,
    findApp: apps.findByKey,
    findInApp: apps.findInApp,
    findUser: (token) => (isPersonalToken(token) ? personalTokens : identity.service).findUser(token),
    findPlayer: playerTokens.find,
    refused: (request, refusal) => refusedFrom(platform.limits, request, refusal),
  })
  let draining = false
  const http = await createServer(platform, {
    guards,
    live,
    isDraining: () => draining,
    countCalls: usage.count,
    limitUploads: uploads.limit,
    auditedWrites: audit.writes,
    routes: [
      identity.routes(guards),
      accounts.routes(identity.service.exchange, guards),
      apps.routes(guards),
      players.routes(guards),
      playerData.routes(guards),
      appConfig.routes(guards, records),
      playerTokens.routes(guards),
      usage.routes(guards, apps),
      webhooks.routes(guards),
      alerts.routes(guards),
      scoring.routes(guards, { assertRole: apps.assertRole }),
      fences.routes(guards),
      reviews.routes(guards),
      pins.waitForIndex(users.routes(guards)),
      personalTokens.routes(guards),
      audit.routes(guards),
      box.routes(guards),
      basemap.routes(guards),
      sharedMaps.routes(guards),
      personalTokens.admittedBy(
        scans.routes(guards, records),
        pins.waitForIndex(
          zones.routes(guards),
          pins.routes(guards),
          placeNames.routes(guards),
          gcps.routes(guards),
          exports.routes(guards),
          surveys.routes(guards, records),
          features.routes(guards),
        ),
        tiles.routes(guards),
        photos.routes(guards),
        localization.routes(guards),
        tags.routes(guards),
        files.routes(guards, records),
        uploads.routes(guards),
      ),
    ],
    console: { signIn: accounts.consoleSignIn, needsFirstAdmin: accounts.needsFirstAdmin, basemap: basemap.drawn },
  })

  return {
    http,
    jobs: platform.jobs,
    objects: platform.objects,
    listensOn: platform.addresses.listensOn,
    identity: identity.service,
    localUser: identity.localUser,
    box: accounts,
    /** The pin index of this process. */
    pinIndex: pins.index,
    /** Compares one search with the database. */
    checkPins: pins.check,
    /** Checks announced uploads that were never used, and purges expired ones. */
    sweepUploads: uploads.sweep,
    /** Removes check-ins that their apps no longer keep. */
    removeOldCheckIns: fences.removeOldCheckIns,
    removeOldPositions: fences.removeOldPositions,
    /** Removes orphaned objects. */
    removeOrphans: files.removeOrphans,
    removeUnused,
    checkStorage: files.checkStorage,
    /** Makes a scheduled backup, if one is due. */
    makeDueBackup: backups.look,
    /** Opens and ends alerts, as a look every minute does. */
    lookForAlerts: alerts.look,
    /** The operations of the command line. */
    operator: {
      ...identity.operator,
      accounts: accounts.operator,
      users: users.operator,
      apps: apps.operator,
      ranks: scoring.rebuild,
      imports: surveys.operator,
      exportZone: exports.open,
      photoChecks: photos.checks,
    },
    /** Ends the worker processes of surveys, exports and photos; for commands that never call `start`. */
    endReaders: async () => void (await Promise.all([surveys.close(), exports.close(), tags.close()])),
    /** Makes /readyz report that the service is stopping, while requests are still served. */
    drain() {
      draining = true
    },
    ...lifecycle(platform, http, { files, uploads, scoring, webhooks, surveys, exports, scans, tags, backups }),
  }
}
