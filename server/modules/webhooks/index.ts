import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { allowsInside } from '../../platform/outbound/allowed-hosts.ts'
import { guardedPosts } from '../../platform/outbound/guarded-post.ts'
import { newSecret } from '../../platform/outbound/signature.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { backlogStore } from './backlog/backlog-store.ts'
import { createBacklogs } from './backlog/backlogs.ts'
import { createDeliverer } from './delivery/deliverer.ts'
import { deliveryStore } from './delivery/delivery-store.ts'
import { type Disabled, outboxStore } from './delivery/outbox-store.ts'
import { SECRETS, sendDelivery } from './delivery/sending.ts'
import { webhookRoutes } from './routes.ts'
import { webhookService } from './service.ts'
import { webhookStore } from './store.ts'

type Deps = {
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
}

const PURGE_MS = 10 * 60_000
/** How often backlogs are checked. */
const BACKLOG_CHECK_MS = 1000
/** Timeout of a receiver's response. */
const TIMEOUT_MS = 15_000
/** Bytes of the response stored in the log. */
const MAX_LOGGED_BYTES = 1024

export type Webhooks = ReturnType<typeof createWebhooks>

/** A new secret of a webhook, encrypted as it is stored. */
export const sealedSecret = (secrets: Platform['secrets']): string => secrets.seal(SECRETS, newSecret())

/** Webhooks: subscriptions of apps, and the delivery of events to them. */
export function createWebhooks(platform: Platform, { assertRole }: Deps) {
  const { config, database, databaseDiskReserve, databaseUrl, audit, ownUrls, quotas, secrets, network, log, metrics } =
    platform
  const posts = guardedPosts({
    isInside: (address) => allowsInside(config.CAIRN_WEBHOOK_HOSTS, address),
    network,
    totalMs: TIMEOUT_MS,
    keptBytes: MAX_LOGGED_BYTES,
    perAddress: 2 * config.CAIRN_WEBHOOK_CONCURRENCY,
  })
  // Deliveries have a pool of their own, so that they and requests do not wait for each other.
  const sending = openDatabase({
    url: databaseUrl,
    applicationName: 'cairn-webhooks',
    // Two connections, so that deliveries do not wait while backlogs are checked.
    max: 2,
    statementTimeoutMs: 30_000,
  })
  const outbox = outboxStore(sending.pool)
  const attempts = metrics.counter('cairn_webhook_attempts_total', 'Attempts to deliver an event, by outcome', [
    'outcome',
  ])
  const removed = metrics.counter(
    'cairn_webhook_deliveries_removed_total',
    'Deliveries removed because too many were pending',
  )
  const send = sendDelivery({
    posts,
    secrets,
    writtenIn: ownUrls.writtenIn,
    retrySeconds: config.CAIRN_WEBHOOK_RETRY_SECONDS,
  })
  const disabled = metrics.counter('cairn_webhooks_disabled_total', 'Webhooks disabled by the service, by cause', [
    'cause',
  ])
  const reportDisabled = ({ appId, endpointId, reason }: Disabled, cause: 'failing' | 'backlog') => {
    disabled.inc({ cause })
    log.warn({ appId, webhook: endpointId, reason }, 'disabled a webhook')
  }
  const backlogs = createBacklogs({
    store: backlogStore(sending.pool),
    bounds: {
      webhook: { deliveries: config.CAIRN_WEBHOOK_PENDING, bytes: config.CAIRN_WEBHOOK_PENDING_BYTES },
      app: { deliveries: config.CAIRN_WEBHOOK_APP_PENDING, bytes: config.CAIRN_WEBHOOK_APP_PENDING_BYTES },
      all: { deliveries: config.CAIRN_WEBHOOK_ALL_PENDING, bytes: config.CAIRN_WEBHOOK_ALL_PENDING_BYTES },
    },
    maxLogged: config.CAIRN_WEBHOOK_LOG_ROWS,
    onDisabled: (webhook) => {
      removed.inc(webhook.removed)
      reportDisabled(webhook, 'backlog')
    },
  })
  const deliverer = createDeliverer({
    // Each attempt is recorded in the database, so none starts while its disk is nearly full.
    store: {
      ...outbox,
      claim: async (...asked) => ((await databaseDiskReserve.isShort()) ? [] : outbox.claim(...asked)),
    },
    send: async (delivery, stop) => {
      const result = await send(delivery, stop)
      attempts.inc({ outcome: result.outcome.toLowerCase() })
      return result
    },
    onDisabled: (endpoint) => reportDisabled(endpoint, 'failing'),
    concurrency: config.CAIRN_WEBHOOK_CONCURRENCY,
    rate: config.CAIRN_WEBHOOK_RATE,
    log,
  })
  const service = webhookService({
    store: webhookStore(database.kysely, audit),
    deliveries: deliveryStore(database.kysely),
    assertRole,
    secrets,
    posts,
    newId,
    writtenIn: ownUrls.writtenIn,
    quota: quotas.webhooks,
  })

  return {
    /** Starts to send. @param isAlone whether no other process sends */
    start: deliverer.start,

    /** Returns claimed deliveries and closes the pool. */
    async close(): Promise<void> {
      await deliverer.stop()
      posts.close()
      await sending.close()
    },

    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(webhookRoutes({ service, guards }), { prefix: '/api/v1/apps' })
        scheduleEvery(app, {
          everyMs: BACKLOG_CHECK_MS,
          work: backlogs.enforce,
          onError: (error) => log.error({ err: error }, 'failed to check webhook backlogs'),
        })
        scheduleEvery(app, {
          everyMs: PURGE_MS,
          work: () => outbox.removeOld(config.CAIRN_WEBHOOK_LOG_DAYS),
          onError: (error) => log.error({ err: error }, 'failed to purge old deliveries'),
        })
      },
  }
}
