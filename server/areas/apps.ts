import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appExport } from '../modules/apps/app-export.ts'
import { appPurge } from '../modules/apps/app-purge.ts'
import { appOperator } from '../modules/apps/operator.ts'
import { overviewService } from '../modules/apps/overview.ts'
import { overviewRoutes } from '../modules/apps/overview-routes.ts'
import { overviewStore } from '../modules/apps/overview-store.ts'
import { appRoutes } from '../modules/apps/routes.ts'
import { appService } from '../modules/apps/service.ts'
import { appStore } from '../modules/apps/store.ts'
import { profileImageRoutes } from '../modules/players/image-routes.ts'
import { profileImages } from '../modules/players/profile-image.ts'
import { playerRoutes } from '../modules/players/routes.ts'
import type { GlobalRanking } from '../modules/players/schema.ts'
import { playerService } from '../modules/players/service.ts'
import { playerStore } from '../modules/players/store.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import { newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

type Needs = {
  userExists: (id: string) => Promise<boolean>
  globalRankings: (appId: string, playerId: string) => Promise<GlobalRanking[]>
  /** Deletes a player with its scores. */
  deletePlayer: (appId: string, playerId: string) => Promise<void>
  /** Lets go of the rank indexes of an app. */
  forgetBoards: (appId: string) => void
  /** Removes the objects that nothing points to any more. */
  removeUnused: (atMostMs?: number) => Promise<void>
  /** Adds to the database what this process counted of calls. */
  writeUsage: () => Promise<void>
}

/** How often keys that have ended, and objects that nothing points to, are looked for. */
const CLEAN_MS = 10 * 60_000
/** Longer than any image is on its way in. */
const LEFT_BEHIND_MS = 60 * 60_000

/** Apps with their keys, and the players of apps. */
export function appsArea(platform: Platform, needs: Needs) {
  const { userExists, globalRankings, deletePlayer, forgetBoards, removeUnused, writeUsage } = needs
  const { database, reads, secrets, audit, objects, ownFiles, quotas, images, jobs, log } = platform
  const purge = appPurge({ pool: database.pool, jobs, forget: forgetBoards, removeUnused })
  jobs.define(purge.job)
  const appsInSql = appStore(database.kysely, audit)
  const apps = appService({
    store: appsInSql,
    listPublic: appStore(reads.database.kysely, audit).listPublic,
    secrets,
    audit,
    newId,
    ownFiles,
    quotas,
    purge,
  })
  const overviews = overviewService({ store: overviewStore(database.kysely), apps, quotas, writeUsage })
  const store = playerStore(database.kysely, database.pool, ownFiles.written)
  const players = playerService({
    store,
    newId,
    userExists,
    globalRankings,
    deletePlayer,
    objects,
    removeUnused,
  })

  const clean = async () => {
    await appsInSql.removeEndedKeys()
    await images.sweep({ olderThanMs: LEFT_BEHIND_MS })
    await removeUnused(Number.POSITIVE_INFINITY)
    await purge.finish()
  }

  return {
    findByKey: apps.findByKey,
    checkOwner: apps.checkOwner,
    checkReader: apps.checkReader,
    /** What the command line does with apps. */
    operator: { ...appOperator({ service: apps, store: appsInSql }), export: appExport(database.pool, ownFiles) },
    /** Mounted under /api/v1/apps. */
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(appRoutes({ service: apps, guards }))
        await app.register(overviewRoutes({ service: overviews, guards }))
        await app.register(playerRoutes({ store, service: players, guards }))
        await app.register(profileImageRoutes({ service: players, images: profileImages(images), guards }))
        app.addHook('preClose', async () => purge.stop())
        doRegularly(app, {
          everyMs: CLEAN_MS,
          work: clean,
          onError: (error) =>
            log.error(
              { err: error },
              'ended keys, unused objects, images left behind or deleted apps were not removed',
            ),
        })
      },
  }
}
