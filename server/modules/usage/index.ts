import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Guards, UserCaller } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { countCalls } from './count-calls.ts'
import { usageRoutes } from './routes.ts'
import { usageService } from './service.ts'
import { usageStore } from './store.ts'
import { usageTally } from './tally.ts'
import { usageWriter } from './writer.ts'

type Deps = {
  /** @throws 403, 404 for who may not see the app's usage */
  checkReader: (appId: string, user: UserCaller) => Promise<void>
}

const WRITE_MS = 10_000
const CLEAN_MS = 60 * 60_000

/** What comes with the keys of apps: counted here, shown to who runs them. */
export function createUsage({ config, database, log }: Platform) {
  const store = usageStore(database.kysely)
  const tally = usageTally()
  const { write } = usageWriter({ tally, store, log })
  const onError = (error: unknown) => log.error({ err: error }, 'the usage of apps was not written; it is tried again')

  return {
    /** Adds what this process counted to the database. */
    write,
    /** Counts what is answered from here on. To be called before routes are added. */
    count(http: FastifyInstance, guards: Guards) {
      countCalls(http, { tally, guards })
      // Closing goes backwards: the last writing comes after the regular ones, when every request was answered.
      http.addHook('onClose', () => write().catch(onError))
      scheduleEvery(http, { everyMs: WRITE_MS, work: write, onError })
      scheduleEvery(http, {
        everyMs: CLEAN_MS,
        work: store.removeOld,
        onError: (error) => log.error({ err: error }, 'old usage of apps was not removed'),
      })
    },
    routes:
      (guards: Guards, { checkReader }: Deps): FastifyPluginAsync =>
      async (app) => {
        const limitPerMinute = config.CAIRN_LIMIT_KEY_PER_MINUTE
        await app.register(
          usageRoutes({ service: usageService({ store, write, checkReader, limitPerMinute }), guards }),
          { prefix: '/api/v1/apps' },
        )
      },
  }
}
