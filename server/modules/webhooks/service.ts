import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Secrets } from '../../platform/credentials/secrets.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { badRequest, conflict, invalid, notFound } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import type { GuardedPosts } from '../../platform/outbound/guarded-post.ts'
import { FetchRefused } from '../../platform/outbound/https-request.ts'
import { newSecret } from '../../platform/outbound/signature.ts'
import { quotaExceeded } from '../../platform/quotas.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import type { DeliveryStore } from './delivery/delivery-store.ts'
import { SECRETS } from './delivery/sending.ts'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookSecret,
  WebhookWithSecret,
} from './schema.ts'
import type { WebhookStore } from './store.ts'

/** The type of a test event; webhooks cannot subscribe to it. */
const PING = 'ping'

type Deps = {
  store: WebhookStore
  deliveries: DeliveryStore
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
  secrets: Secrets
  posts: Pick<GuardedPosts, 'check'>
  newId: () => string
  writtenIn: OwnUrls['writtenIn']
  /** The quota of webhooks per app. */
  quota: number
}

/** The caller and the app of a request. */
type AppContext = { appId: string; user: AppUser; actor: Actor }

export type WebhookService = ReturnType<typeof webhookService>

/** The rules of webhooks and their delivery logs, for owners and admins of the app. */
export function webhookService({ store, deliveries, assertRole, secrets, posts, newId, writtenIn, quota }: Deps) {
  const assertUrlAccepted = (url: string | undefined) => {
    if (url === undefined) return
    try {
      posts.check(url)
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error
      throw invalid([{ code: 'custom', message: `this URL is not accepted: ${error.message}`, path: ['url'] }])
    }
  }

  const find = async (appId: string, id: string): Promise<Webhook> => {
    const webhook = await store.get(appId, id)
    if (!webhook) throw notFound('Webhook')
    return webhook
  }

  const findAllowed = async ({ appId, user }: AppContext, id: string): Promise<Webhook> => {
    await assertRole(appId, user)
    return find(appId, id)
  }

  const assertEnabled = ({ enabled }: Webhook) => {
    if (!enabled) throw conflict('This webhook is disabled: enable it to send pending deliveries')
  }

  const detail = async (appId: string, webhookId: string, id: string): Promise<DeliveryDetail> => {
    const row = await deliveries.get(appId, webhookId, id)
    if (!row) throw notFound('Delivery')
    const { data, log, ...delivery } = row
    return {
      ...delivery,
      payload: { type: delivery.eventType, timestamp: delivery.createdAt, data: writtenIn(data) },
      log,
    }
  }

  return {
    /** Oldest first. @throws 403, 404 */
    async page(context: AppContext, query: PageQuery): Promise<Page<Webhook>> {
      await assertRole(context.appId, context.user)
      return store.page(context.appId, query)
    },

    get: findAllowed,

    /** @throws 400 if the URL is not accepted, 403, 404; 409 if the app's quota is used up */
    async create(context: AppContext, webhook: NewWebhook): Promise<WebhookWithSecret> {
      const { appId, user, actor } = context
      await assertRole(appId, user)
      assertUrlAccepted(webhook.url)
      const id = newId()
      const secret = newSecret()
      if (!(await store.insert(appId, { ...webhook, id, secret: secrets.seal(SECRETS, secret) }, quota, actor)))
        throw quotaExceeded('webhooks', quota)
      return { ...(await find(appId, id)), secret, previousUntil: null }
    },

    /** @throws 400, 403, 404 */
    async update(context: AppContext, id: string, change: WebhookChange): Promise<Webhook> {
      const { appId, actor } = context
      const webhook = await findAllowed(context, id)
      assertUrlAccepted(change.url)
      if (Object.values(change).every((value) => value === undefined)) return webhook
      await store.update(appId, id, change, actor)
      return find(appId, id)
    },

    /** @throws 403, 404 */
    async remove(context: AppContext, id: string): Promise<void> {
      await assertRole(context.appId, context.user)
      if (!(await store.remove(context.appId, id, context.actor))) throw notFound('Webhook')
    },

    /** @throws 403, 404 */
    async secret(context: AppContext, id: string): Promise<WebhookSecret> {
      await assertRole(context.appId, context.user)
      const sealed = await store.secret(context.appId, id, context.actor)
      if (!sealed) throw notFound('Webhook')
      return { ...sealed, secret: secrets.open(SECRETS, sealed.secret) }
    },

    /** Signs with a new secret from now on and, for `graceSeconds`, with the previous one too. @throws 403, 404 */
    async rotateSecret(context: AppContext, id: string, graceSeconds: number): Promise<WebhookSecret> {
      await assertRole(context.appId, context.user)
      const sealed = secrets.seal(SECRETS, newSecret())
      if (!(await store.rotate(context.appId, id, sealed, graceSeconds, context.actor))) throw notFound('Webhook')
      return this.secret(context, id)
    },

    /** Newest first. @throws 400 for a cursor of another list; 403, 404 */
    async deliveries(context: AppContext, id: string, query: DeliveryQuery): Promise<Page<Delivery>> {
      await findAllowed(context, id)
      if (query.since && query.until && new Date(query.since) > new Date(query.until))
        throw badRequest('since must not be later than until')
      return deliveries.page(context.appId, id, query)
    },

    /** @throws 403, 404 */
    async delivery(context: AppContext, webhookId: string, id: string): Promise<DeliveryDetail> {
      await findAllowed(context, webhookId)
      return detail(context.appId, webhookId, id)
    },

    /** Sends a delivery again, or now if it is pending. @throws 403, 404, 409 while the webhook is disabled */
    async redeliver(context: AppContext, webhookId: string, id: string): Promise<DeliveryDetail> {
      assertEnabled(await findAllowed(context, webhookId))
      if (!(await deliveries.resend(context.appId, webhookId, id))) throw notFound('Delivery')
      return detail(context.appId, webhookId, id)
    },

    /** Sends failed deliveries again. @returns how many @throws 403, 404, 409 while the webhook is disabled */
    async redeliverFailed(context: AppContext, webhookId: string, since: string): Promise<number> {
      assertEnabled(await findAllowed(context, webhookId))
      return deliveries.resendFailed(context.appId, webhookId, since)
    },

    /** Sends a `ping` to this webhook, with any subscription. @throws 403, 404, 409 while it is disabled */
    async test(context: AppContext, webhookId: string): Promise<DeliveryDetail> {
      const { appId } = context
      assertEnabled(await findAllowed(context, webhookId))
      const data = { webhookId, message: 'This is a test: the webhook works' }
      const id = await deliveries.insert(appId, webhookId, { type: PING, subject: webhookId, data })
      return detail(appId, webhookId, id)
    },
  }
}
