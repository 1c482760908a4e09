import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { activityService } from './activity/activity.ts'
import { activityRoutes } from './activity/activity-routes.ts'
import { activityStore } from './activity/activity-store.ts'
import { activityWriter } from './activity/activity-writer.ts'
import { playTally } from './activity/play-tally.ts'
import { countCalls } from './count-calls.ts'
import { usageRoutes } from './routes.ts'
import { usageService } from './service.ts'
import { usageStore } from './store.ts'
import { usageTally } from './tally.ts'
import { usageWriter } from './writer.ts'

type Deps = {
  /** @throws 403, 404 if the user cannot read the app's usage */
  assertReader: (appId: string, user: AppUser) => Promise<void>
}

const WRITE_MS = 10_000
const CLEAN_MS = 60 * 60_000

/** Counts requests with app keys and written scores, and shows the counts to the apps' members. */
export function createUsage({ config, database, log }: Platform) {
  const store = usageStore(database.kysely)
  const tally = usageTally()
  const { write } = usageWriter({ take: tally.take, add: store.add, log })
  const plays = playTally()
  const activityInSql = activityWriter(database.kysely)
  const activities = activityStore(database.kysely)
  const { write: writePlays } = usageWriter({ take: plays.take, add: activityInSql.add, log })
  const onError = (error: unknown) => log.error({ err: error }, 'failed to write usage of apps; retrying')

  return {
    /** Writes what this process has counted to the database. */
    write,
    /** Counts a written score. */
    played: plays.played,
    /** Counts what waits for a review in an app, and its failing webhooks. */
    attentionOf: activities.counts,
    /** Counts responses from now on. Register it before the routes. */
    count(http: FastifyInstance, guards: Guards) {
      countCalls(http, { tally, guards })
      // onClose hooks run in reverse order: this last write comes after every request has been answered.
      for (const work of [write, writePlays]) {
        http.addHook('onClose', () => work().catch(onError))
        scheduleEvery(http, { everyMs: WRITE_MS, work, onError })
      }
      scheduleEvery(http, {
        everyMs: CLEAN_MS,
        work: async () => {
          await store.removeOld()
          await activityInSql.removeOld()
        },
        onError: (error) => log.error({ err: error }, 'failed to purge old usage of apps'),
      })
    },
    routes:
      (guards: Guards, { assertReader }: Deps): FastifyPluginAsync =>
      async (app) => {
        const limitPerMinute = config.CAIRN_LIMIT_KEY_PER_MINUTE
        await app.register(
          usageRoutes({ service: usageService({ store, write, assertReader, limitPerMinute }), guards }),
          { prefix: '/api/v1/apps' },
        )
        const activity = activityService({ store: activities, write: writePlays, assertReader })
        await app.register(activityRoutes({ service: activity, guards }), { prefix: '/api/v1/apps' })
      },
  }
}
