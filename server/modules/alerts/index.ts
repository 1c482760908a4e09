import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { LOCKS } from '../../platform/database/locks/locks.ts'
import { aloneWith } from '../../platform/database/locks/session-locks.ts'
import { createQuota, tooMany } from '../../platform/http/limits/quotas.ts'
import { newId } from '../../platform/ids.ts'
import { guardedPosts } from '../../platform/outbound/guarded-post.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import type { Health } from '../admin/schema.ts'
import type { AppState } from './conditions.ts'
import { alertDispatch } from './dispatch.ts'
import { alertRoutes, alertSettingsRoutes, boxAlertRoutes } from './routes.ts'
import { alertService } from './service.ts'
import { alertStore } from './store.ts'
import { alertWatch } from './watch.ts'

type Deps = {
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
  /** @throws 403, 404 if the user cannot read the app */
  assertReader: (appId: string, user: AppUser) => Promise<void>
  health: () => Promise<Health>
  /** What waits for a review in an app, and its failing webhooks. */
  attentionOf: (appId: string) => Promise<Omit<AppState, 'quotas'>>
  quotasOf: (appId: string) => Promise<AppState['quotas']>
}

const LOOK_MS = 60_000
const TESTS_AN_HOUR = 5
/** Timeout of the operator's receiver. */
const TIMEOUT_MS = 15_000

/** Alerts about apps and about the installation, by mail and by webhook. */
export function createAlerts(platform: Platform, deps: Deps) {
  const { addresses, audit, clock, config, database, databaseUrl, jobs, log, mailer, network, sharedCounts } = platform
  const { assertRole, assertReader, health, attentionOf, quotasOf } = deps
  const store = alertStore(database.kysely, audit)
  const posts = guardedPosts({
    // The operator's own setting, which may be in the operator's network.
    isInside: ({ origin }) => origin === new URL(config.CAIRN_ALERT_URL!).origin,
    network,
    totalMs: TIMEOUT_MS,
    keptBytes: 0,
    perAddress: 1,
  })
  const url = config.CAIRN_ALERT_URL && {
    address: config.CAIRN_ALERT_URL,
    secret: config.CAIRN_ALERT_SECRET!,
    post: posts.post,
  }
  const dispatch = alertDispatch({
    store,
    jobs,
    mailer,
    operator: {
      addresses: config.CAIRN_ALERT_EMAILS,
      language: config.CAIRN_ALERT_LANGUAGE,
      ...(url && { url }),
    },
    publicUrl: addresses.publicUrl,
    log,
  })
  jobs.define(dispatch.job)
  const look = alertWatch({
    store,
    dispatch,
    alone: aloneWith(databaseUrl, 'cairn-alerts', LOCKS.alerts),
    health,
    stateOf: async (appId) => ({ ...(await attentionOf(appId)), quotas: await quotasOf(appId) }),
    newId,
    clock,
    log,
  })
  const tests = createQuota(
    {
      name: 'test-mails',
      quota: TESTS_AN_HOUR,
      windowSeconds: 3600,
      refusal: (quota) => `More than ${quota} tests of alerts an hour`,
    },
    sharedCounts,
  )
  const service = alertService({
    store,
    assertRole,
    assertReader,
    mailer,
    takeTest: async (userId) => {
      const taken = await tests.take(userId)
      if (taken.isOver) throw tooMany(taken)
    },
    publicUrl: addresses.publicUrl,
    newId,
  })

  return {
    /** Looks once whether alerts open or end. */
    look,

    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1/apps'
        await app.register(alertRoutes({ service, guards }), { prefix })
        await app.register(alertSettingsRoutes({ service, guards }), { prefix })
        await app.register(boxAlertRoutes({ service, guards }), { prefix: '/api/v1' })
        app.addHook('onClose', async () => posts.close())
        if (config.CAIRN_ROLE === 'api') return
        scheduleEvery(app, {
          everyMs: LOOK_MS,
          work: look,
          onError: (error) => log.error({ err: error }, 'failed to check for alerts'),
        })
      },
  }
}
