import { createHash } from 'node:crypto'
import type { JobDefinition, Jobs } from '../../platform/database/jobs/jobs.ts'
import type { Log } from '../../platform/logging/log.ts'
import { MailRefused } from '../../platform/mail/mail-refused.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { GuardedPosts } from '../../platform/outbound/guarded-post.ts'
import { signedHeaders } from '../../platform/outbound/signature.ts'
import type { Language } from '../../platform/schema.ts'
import type { AlertSettings } from './schema.ts'
import type { AlertStore, ChangedAlert, SentAlert, SentEvent } from './store.ts'
import { alertMail } from './texts/mails.ts'

const JOB = 'send-alert'
/** With delays that grow to a minute: two hours. */
const RETRIES = 120
/** An alert that could not be sent by then is dropped, with a warning in the log. */
const LONGEST_MS = 2 * 3_600_000
/** Alerts of an owner's apps that are mailed in a day. Addresses are not confirmed, so that this bounds what others may get. */
const MAILED_A_DAY = 50
/** The operator's URL, among the recipients. */
const URL_OF_OPERATOR = 'url'

/** A job names its recipient by a digest, so that it has no address, and one removed meanwhile gets nothing. */
type Sending = { alertId: string; event: SentEvent; to: string }
const digest = (address: string) => createHash('sha256').update(address).digest('base64url')

type Deps = {
  store: Pick<AlertStore, 'find' | 'settings' | 'publish' | 'openedInDay'>
  jobs: Pick<Jobs, 'enqueue' | 'wake'>
  mailer: Mailer | undefined
  /** Where alerts of the installation are sent. */
  operator: {
    addresses: string[]
    language: Language
    url?: { address: string; secret: string; post: GuardedPosts['post'] } | undefined
  }
  publicUrl: () => string
  log: Log
}

/** Sends alerts: one job for each recipient, which is retried for two hours. Webhooks of apps have their own deliveries. */
export function alertDispatch({ store, jobs, mailer, operator, publicUrl, log }: Deps) {
  const recipientsOf = async ({ appId }: SentAlert) => (appId === null ? operator : store.settings(appId))

  async function mail(alert: SentAlert, { alertId, event, to }: Sending): Promise<void> {
    const { addresses, language } = await recipientsOf(alert)
    const address = addresses.find((one) => digest(one) === to)
    if (!mailer || address === undefined) return
    try {
      const mail = alertMail(alert, event, publicUrl(), language)
      await mailer.send({ to: address, ...mail, id: `${alertId}.${event}.${to.slice(0, 12)}` })
    } catch (error) {
      if (!(error instanceof MailRefused) || !error.isAddress || !error.isPermanent) throw error
      log.warn({ alert: alertId, appId: alert.appId, reason: error.message }, 'an alert was not mailed')
    }
  }

  async function post(alert: SentAlert, { alertId, event }: Sending, signal: AbortSignal): Promise<void> {
    if (!operator.url) return
    const { address, secret, post } = operator.url
    const { appId: _app, appName: _name, figures: _figures, ...data } = alert
    const at = new Date()
    const body = JSON.stringify({
      type: `alert.${event}`,
      timestamp: event === 'ended' ? alert.endedAt : alert.openedAt,
      data,
    })
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(`${alertId}.${event}`, at, body, [secret]),
    }
    const { status } = await post(address, headers, Buffer.from(body), signal)
    if (status < 200 || status > 299) throw new Error(`The receiver at CAIRN_ALERT_URL returned ${status}`)
  }

  return {
    job: {
      name: JOB,
      expireInSeconds: 120,
      concurrency: 2,
      // An app whose addresses are slow leaves room for others.
      perGroup: 1,
      retryLimit: RETRIES,
      async run(sending, signal) {
        const alert = await store.find(sending.alertId)
        if (!alert) return
        const { openedAt, endedAt } = alert
        // Its end is sent: an opening that comes later would say that it is open.
        if (sending.event === 'opened' && endedAt !== null) return
        const since = Date.parse(sending.event === 'opened' ? openedAt : endedAt!)
        if (Date.now() - since > LONGEST_MS) {
          log.warn(
            { alert: sending.alertId, appId: alert.appId, event: sending.event },
            'an alert was not sent in time',
          )
          return
        }
        if (sending.to === URL_OF_OPERATOR) await post(alert, sending, signal)
        else await mail(alert, sending)
      },
    } satisfies JobDefinition<Sending>,

    /** Enqueues the mails and events of an alert, in the transaction that opens or ends it. */
    async send(
      trx: Parameters<Jobs['enqueue']>[0],
      { id, kind, appId }: ChangedAlert,
      event: SentEvent,
      settings: AlertSettings | undefined,
    ): Promise<void> {
      if (appId !== null) await store.publish(trx, appId, id, event)
      const wanted = settings?.kinds.some((one) => one === kind) ? settings.addresses : []
      const mailed = wanted.length > 0 && (await store.openedInDay(trx, appId!)) <= MAILED_A_DAY ? wanted : []
      const addresses = appId === null ? operator.addresses : mailed
      const recipients = [
        ...(mailer ? addresses.map(digest) : []),
        ...(appId === null && operator.url ? [URL_OF_OPERATOR] : []),
      ]
      for (const to of recipients)
        await jobs.enqueue(trx, JOB, { alertId: id, event, to } satisfies Sending, {
          key: `${id} ${event} ${to}`,
          group: appId ?? 'box',
        })
    },

    /** Starts the jobs; call it after that transaction has committed. */
    wake: () => jobs.wake(JOB),
  }
}
