import type { UserCaller } from '../../platform/credentials/guards.ts'
import type { Secrets } from '../../platform/credentials/secrets.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { badRequest, conflict, invalid, notFound } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import type { GuardedPosts } from '../../platform/outbound/guarded-post.ts'
import { FetchRefused } from '../../platform/outbound/https-request.ts'
import { quotaExceeded } from '../../platform/quotas.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import type { DeliveryStore } from './delivery/delivery-store.ts'
import { SECRETS } from './delivery/sending.ts'
import { newSecret } from './delivery/signature.ts'
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
  /** @throws 404 if the user may not know the app, 403 for another user's PUBLIC app */
  checkOwner: (appId: string, user: UserCaller) => Promise<void>
  secrets: Secrets
  posts: Pick<GuardedPosts, 'check'>
  newId: () => string
  writtenIn: OwnUrls['writtenIn']
  /** The quota of webhooks per app. */
  most: number
}

/** The caller and the app of a request. */
type Asking = { appId: string; user: UserCaller; actor: Actor }

export type WebhookService = ReturnType<typeof webhookService>

/** The rules of webhooks and their delivery logs, which belong to the app's owner. */
export function webhookService({ store, deliveries, checkOwner, secrets, posts, newId, writtenIn, most }: Deps) {
  const checkUrl = (url: string | undefined) => {
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

  const own = async ({ appId, user }: Asking, id: string): Promise<Webhook> => {
    await checkOwner(appId, user)
    return find(appId, id)
  }

  const mustBeEnabled = ({ enabled }: Webhook) => {
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
    async page(asking: Asking, query: PageQuery): Promise<Page<Webhook>> {
      await checkOwner(asking.appId, asking.user)
      return store.page(asking.appId, query)
    },

    get: own,

    /** @throws 400 if the URL is not accepted, 403, 404; 409 if the app's quota is used up */
    async create(asking: Asking, webhook: NewWebhook): Promise<WebhookWithSecret> {
      const { appId, user, actor } = asking
      await checkOwner(appId, user)
      checkUrl(webhook.url)
      const id = newId()
      const secret = newSecret()
      if (!(await store.insert(appId, { ...webhook, id, secret: secrets.seal(SECRETS, secret) }, most, actor)))
        throw quotaExceeded('webhooks', most)
      return { ...(await find(appId, id)), secret, previousUntil: null }
    },

    /** @throws 400, 403, 404 */
    async update(asking: Asking, id: string, change: WebhookChange): Promise<Webhook> {
      const { appId, actor } = asking
      const webhook = await own(asking, id)
      checkUrl(change.url)
      if (Object.values(change).every((value) => value === undefined)) return webhook
      await store.update(appId, id, change, actor)
      return find(appId, id)
    },

    /** @throws 403, 404 */
    async remove(asking: Asking, id: string): Promise<void> {
      await checkOwner(asking.appId, asking.user)
      if (!(await store.remove(asking.appId, id, asking.actor))) throw notFound('Webhook')
    },

    /** @throws 403, 404 */
    async secret(asking: Asking, id: string): Promise<WebhookSecret> {
      await checkOwner(asking.appId, asking.user)
      const sealed = await store.secret(asking.appId, id, asking.actor)
      if (!sealed) throw notFound('Webhook')
      return { ...sealed, secret: secrets.open(SECRETS, sealed.secret) }
    },

    /** Signs with a new secret from now on and, for `graceSeconds`, with the previous one too. @throws 403, 404 */
    async rotateSecret(asking: Asking, id: string, graceSeconds: number): Promise<WebhookSecret> {
      await checkOwner(asking.appId, asking.user)
      const sealed = secrets.seal(SECRETS, newSecret())
      if (!(await store.rotate(asking.appId, id, sealed, graceSeconds, asking.actor))) throw notFound('Webhook')
      return this.secret(asking, id)
    },

    /** Newest first. @throws 400 for a cursor of another list; 403, 404 */
    async deliveries(asking: Asking, id: string, query: DeliveryQuery): Promise<Page<Delivery>> {
      await own(asking, id)
      if (query.since && query.until && new Date(query.since) > new Date(query.until))
        throw badRequest('since must not be later than until')
      return deliveries.page(asking.appId, id, query)
    },

    /** @throws 403, 404 */
    async delivery(asking: Asking, webhookId: string, id: string): Promise<DeliveryDetail> {
      await own(asking, webhookId)
      return detail(asking.appId, webhookId, id)
    },

    /** Sends a delivery again, or now if it is pending. @throws 403, 404, 409 while the webhook is disabled */
    async redeliver(asking: Asking, webhookId: string, id: string): Promise<DeliveryDetail> {
      mustBeEnabled(await own(asking, webhookId))
      if (!(await deliveries.again(asking.appId, webhookId, id))) throw notFound('Delivery')
      return detail(asking.appId, webhookId, id)
    },

    /** Sends failed deliveries again. @returns how many @throws 403, 404, 409 while the webhook is disabled */
    async redeliverFailed(asking: Asking, webhookId: string, since: string): Promise<number> {
      mustBeEnabled(await own(asking, webhookId))
      return deliveries.failedAgain(asking.appId, webhookId, since)
    },

    /** Sends a `ping` to this webhook, whatever it subscribes to. @throws 403, 404, 409 while it is disabled */
    async test(asking: Asking, webhookId: string): Promise<DeliveryDetail> {
      const { appId } = asking
      mustBeEnabled(await own(asking, webhookId))
      const data = { webhookId, message: 'This is a test: the webhook works' }
      const id = await deliveries.insert(appId, webhookId, { type: PING, subject: webhookId, data })
      return detail(appId, webhookId, id)
    },
  }
}
