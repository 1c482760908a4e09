import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Viewer } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { profileImageRoutes } from './image-routes.ts'
import { keepPlayers } from './kept-players.ts'
import { playerListStore } from './list-store.ts'
import { profileImages } from './profile-image.ts'
import { playerRoutes } from './routes.ts'
import type { GlobalRanking, PlayerAttributes, StandingChange } from './schema.ts'
import { playerService } from './service.ts'
import { playerStore } from './store.ts'
import { timelineRoutes } from './timeline/timeline-routes.ts'
import { timelineStore } from './timeline/timeline-store.ts'

type Deps = {
  userExists: (id: string) => Promise<boolean>
  globalRankings: (appId: string, playerId: string, viewer?: Viewer) => Promise<GlobalRanking[]>
  /** Deletes a player with its scores. */
  deletePlayer: (appId: string, playerId: string) => Promise<void>
  /** Sets the standing of a player, also on boards. */
  setStanding: (change: StandingChange) => Promise<void>
  /** Replaces the attributes of a player, also on boards. @returns whether the player exists */
  setAttributes: (appId: string, playerId: string, attributes: PlayerAttributes | null) => Promise<boolean>
  /** Called when the name, the image or the user of a player may have changed. */
  playerChanged: (appId: string, playerId: string) => void | Promise<void>
  /** Removes objects that nothing refers to. */
  removeUnused: () => Promise<void>
}

/** How often unused images are looked for. */
const CLEAN_MS = 10 * 60_000
/** Longer than any upload of an image takes. */
const LEFT_BEHIND_MS = 60 * 60_000

/** The players of apps, with their profile images. */
export function createPlayers(platform: Platform, deps: Deps) {
  const { database, bulk, ownUrls, objects, images, log } = platform
  const kept = servesAlone(platform) ? keepPlayers(platform.changes) : undefined
  const store = playerStore(database, ownUrls.written, kept)
  const lists = playerListStore(database.kysely, bulk, ownUrls)
  const forgetKept = (appId: string, id: string) => kept?.forget(appId, id)
  const playerChanged = (appId: string, id: string) => {
    forgetKept(appId, id)
    return deps.playerChanged(appId, id)
  }
  const service = playerService({ store, newId, objects, ...deps, playerChanged, forgetKept })

  return {
    /** Call it when any player may have changed. */
    forgetAll: () => kept?.forgetAll(),
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1/apps'
        await app.register(playerRoutes({ lists, service, guards }), { prefix })
        const timelines = timelineStore(database.kysely)
        await app.register(timelineRoutes({ timelines, players: store, guards }), { prefix })
        await app.register(profileImageRoutes({ service, images: profileImages(images), guards }), { prefix })
        scheduleEvery(app, {
          everyMs: CLEAN_MS,
          work: () => images.sweep({ olderThanMs: LEFT_BEHIND_MS }),
          onError: (error) => log.error({ err: error }, 'failed to remove unused profile images'),
        })
      },
  }
}

/** Whether every request that changes a player is served here, and none reads from a replica. */
const servesAlone = ({ config, redis, coordinator, servingProcesses, reads }: Platform): boolean =>
  config.CAIRN_ROLE !== 'worker' && !redis && !coordinator && !servingProcesses && !reads.replica
