import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AuditAction } from '../../platform/database/audit-actions.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import type { EventType, NewWebhook, Webhook, WebhookChange } from './schema.ts'

type EndpointsTable = {
  app_id: string
  id: string
  url: string
  description: string | null
  event_types: EventType[]
  enabled: boolean
  disabled_reason: string | null
  disabled_at: string | null
  secret: string
  old_secret: string | null
  old_secret_until: string | null
  failing_since: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}
type Tables = { webhook_endpoints: EndpointsTable; apps: { id: string } }

const columns = [
  'id',
  'url',
  'description',
  'event_types as eventTypes',
  'enabled',
  'disabled_reason as disabledReason',
  'disabled_at as disabledAt',
  'failing_since as failingSince',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const now = sql<string>`clock_timestamp()`

export type SealedSecret = { secret: string; previousUntil: string | null }
export type WebhookStore = ReturnType<typeof webhookStore>

/** The webhooks of apps, in SQL. */
export function webhookStore(db: Kysely<Tables>, audit: AuditLog) {
  const ofApp = (within: Kysely<Tables>, appId: string) =>
    within.selectFrom('webhook_endpoints').where('app_id', '=', appId).where('deleted_at', 'is', null)
  const updateOne = (within: Kysely<Tables>, appId: string, id: string) =>
    within
      .updateTable('webhook_endpoints')
      .where('app_id', '=', appId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
  /** Changes a webhook and writes an audit entry. @returns whether it exists */
  const audited = (id: string, action: AuditAction, actor: Actor, work: (trx: Kysely<Tables>) => Promise<unknown>) =>
    db.transaction().execute(async (trx) => {
      const isThere = (await work(trx)) !== undefined
      if (isThere) await audit.record([{ ...actor, action, subject: id }], trx)
      return isThere
    })

  return {
    get: (appId: string, id: string): Promise<Webhook | undefined> =>
      ofApp(db, appId).select(columns).where('id', '=', id).executeTakeFirst(),

    /** Oldest first. */
    async page(appId: string, { limit, cursor }: PageQuery): Promise<Page<Webhook>> {
      const after = afterTime(cursor)
      const [rows, { total }] = await Promise.all([
        ofApp(db, appId)
          .select([...columns, sql<string>`created_at::text`.as('cursorAt')])
          .$if(after !== undefined, (query) =>
            query.where(sql<boolean>`(created_at, id) > (${after?.at}::timestamptz, ${after?.id}::uuid)`),
          )
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit + 1)
          .execute(),
        ofApp(db, appId)
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow(),
      ])
      return pageByTime(rows, limit, total)
    },

    /** @param quota the app's quota @returns false if it is used up */
    insert: (
      appId: string,
      { id, secret, url, eventTypes, description }: NewWebhook & { id: string; secret: string },
      quota: number,
      actor: Actor,
    ): Promise<boolean> =>
      audited(id, 'webhook.created', actor, async (trx) => {
        // The lock serializes two concurrent calls.
        await trx.selectFrom('apps').select('id').where('id', '=', appId).forNoKeyUpdate().execute()
        const { count } = await ofApp(trx, appId)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (count >= quota) return undefined
        return trx
          .insertInto('webhook_endpoints')
          .values({
            app_id: appId,
            id,
            url,
            description: description ?? null,
            event_types: sql`${eventTypes}::text[]`,
            secret,
          } as never)
          .returning('id')
          .executeTakeFirst()
      }),

    /**
     * Updates a webhook; absent members stay unchanged. Enabling it makes pending deliveries due at once. @returns
     * whether it exists
     */
    update: (
      appId: string,
      id: string,
      { url, eventTypes, description, enabled }: WebhookChange,
      actor: Actor,
    ): Promise<boolean> =>
      audited(id, 'webhook.changed', actor, async (trx) => {
        const changed = await updateOne(trx, appId, id)
          .set({
            updated_at: now,
            ...(url === undefined ? {} : { url, failing_since: null }),
            ...(eventTypes === undefined ? {} : { event_types: sql`${eventTypes}::text[]` as never }),
            ...(description === undefined ? {} : { description }),
            ...(enabled === true
              ? { enabled, disabled_reason: null, disabled_at: null, failing_since: null, paused_until: null }
              : {}),
            ...(enabled === false ? { enabled, disabled_at: sql`coalesce(disabled_at, clock_timestamp())` } : {}),
          } as never)
          .returning('id')
          .executeTakeFirst()
        if (changed && enabled)
          await sql`
            update webhook_deliveries set due_at = clock_timestamp(), tried_since = null, failures = 0
             where endpoint_id = ${id} and status = 'PENDING' and hold is null`.execute(trx)
        return changed
      }),

    /** Deletes a webhook at once; its deliveries follow. @returns whether it existed */
    remove: (appId: string, id: string, actor: Actor): Promise<boolean> =>
      audited(id, 'webhook.deleted', actor, (trx) =>
        updateOne(trx, appId, id).set({ enabled: false, deleted_at: now }).returning('id').executeTakeFirst(),
      ),

    /** Audited, because the secret allows its holder to sign as this service. */
    async secret(appId: string, id: string, actor: Actor): Promise<SealedSecret | undefined> {
      const row = await ofApp(db, appId)
        .select([
          'secret',
          sql<string | null>`case when old_secret_until > clock_timestamp() then old_secret_until end`.as(
            'previousUntil',
          ),
        ])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row) await audit.recordView({ ...actor, action: 'webhook_secret.viewed', subject: id })
      return row
    },

    /** Replaces the secret; the previous one signs too for `graceSeconds`. @returns whether the webhook exists */
    rotate: (appId: string, id: string, secret: string, graceSeconds: number, actor: Actor): Promise<boolean> =>
      audited(id, 'webhook_secret.rotated', actor, (trx) =>
        updateOne(trx, appId, id)
          .set({
            old_secret: sql`secret`,
            old_secret_until: sql`clock_timestamp() + make_interval(secs => ${graceSeconds})`,
            secret,
            updated_at: now,
          })
          .returning('id')
          .executeTakeFirst(),
      ),
  }
}
