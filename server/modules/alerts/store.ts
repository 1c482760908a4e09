import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import { publishEvent } from '../webhooks/outbox.ts'
import type { Condition } from './conditions.ts'
import { type Alert, AlertKind, type AlertSettings, type BoxAlert } from './schema.ts'
import type { Transitions, Unfinished } from './transitions.ts'

/** An alert as it is sent: of an app with its name, or of the installation. */
export type SentAlert = Omit<Alert, 'kind'> & {
  kind: Condition['kind']
  appId: string | null
  appName: string | null
  /** Null if a release without translations opened it. */
  figures: Condition['figures'] | null
}
export type SentEvent = 'opened' | 'ended'

/** An alert that has just opened or ended. */
export type ChangedAlert = { id: string; kind: string; appId: string | null }

type Trx = Transaction<AnyTables>
/** What `reconcile` needs of the service. */
type Rules = {
  decide: (unfinished: Unfinished[]) => Transitions
  /** Sends in the transaction. */
  send: (trx: Trx, alert: ChangedAlert, event: SentEvent, settings: AlertSettings | undefined) => Promise<void>
  newId: () => string
  now: number
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
const time = (at: number) => sql`to_timestamp(${at}::float8 / 1000)`
const columns = sql`l.id, l.kind, nullif(l.subject, '') as subject, l.summary, api_moment(l.opened_at) as "openedAt",
  api_moment(l.ended_at) as "endedAt"`
const NO_SETTINGS: AlertSettings = { addresses: [], kinds: AlertKind.options, language: 'en' }

export type AlertStore = ReturnType<typeof alertStore>

/** Alerts and whom they are mailed to, in SQL. An app of null is the installation. */
export function alertStore(db: Kysely<AnyTables>, audit: AuditLog) {
  const settingsOf = async (within: Kysely<AnyTables>, appId: string | null): Promise<AlertSettings | undefined> => {
    const { rows } = await sql<AlertSettings>`
      select addresses, kinds, language from alert_settings where app_id = ${appId}::uuid`.execute(within)
    return rows[0]
  }

  const opened = async (appId: string | null, { limit, cursor }: PageQuery) => {
    const after = afterTime(cursor)
    // "is not distinct from" could not use the index.
    const isOf = appId === null ? sql`l.app_id is null` : sql`l.app_id = ${appId}`
    const { rows } = await sql<Alert & { cursorAt: string }>`
      select ${columns}, l.opened_at::text as "cursorAt" from alerts l
       where ${isOf} and l.opened_at is not null
         and (${after?.at ?? null}::timestamptz is null
              or (l.opened_at, l.id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
       order by l.opened_at desc, l.id desc limit ${limit + 1}`.execute(db)
    const { rows: counted } = await sql<{ total: number }>`
      select count(*) as total from alerts l where ${isOf} and l.opened_at is not null`.execute(db)
    return pageByTime(rows, limit, counted[0]!.total) as Page<Omit<Alert, 'kind'> & { kind: Condition['kind'] }>
  }

  return {
    /** Those of an app, or the defaults. */
    settings: async (appId: string): Promise<AlertSettings> => (await settingsOf(db, appId)) ?? NO_SETTINGS,

    /** @throws 404 */
    save: (appId: string, { addresses, kinds, language }: AlertSettings, actor: Actor): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql`
          select from apps where id = ${appId} and deleted_at is null for no key update`.execute(trx)
        if (rows.length === 0) throw notFound('App')
        const before = (await settingsOf(trx, appId)) ?? NO_SETTINGS
        await sql`
          insert into alert_settings (app_id, addresses, kinds, language)
          values (${appId}, ${addresses}::text[], ${kinds}::text[], ${language})
          on conflict (app_id) do update set addresses = excluded.addresses, kinds = excluded.kinds,
            language = excluded.language, updated_at = clock_timestamp()`.execute(trx)
        const changes = {
          addresses: { from: before.addresses.length, to: addresses.length },
          ...(kinds.join() !== before.kinds.join() && { kinds: { from: before.kinds.join(' '), to: kinds.join(' ') } }),
          ...(language !== before.language && { language: { from: before.language, to: language } }),
        }
        await audit.record([{ ...actor, action: 'alert_settings.updated', subject: appId, appId, changes }], trx)
      }),

    tested: (appId: string, actor: Actor): Promise<void> =>
      audit.record([{ ...actor, action: 'alert_settings.tested', subject: appId, appId }]),

    /** The alerts of an app that have opened, newest first. */
    page: (appId: string, query: PageQuery) => opened(appId, query) as Promise<Page<Alert>>,

    /** Those of the installation. */
    boxPage: (query: PageQuery) => opened(null, query) as Promise<Page<BoxAlert>>,

    /** The apps whose alerts are sent somewhere, and those with an unfinished alert. */
    async watched(): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select id from apps where deleted_at is null and id in (
          select app_id from alert_settings where cardinality(addresses) > 0
           union select app_id from webhook_endpoints
                  where enabled and deleted_at is null and event_types && '{alert.opened,alert.ended}'
           union select app_id from alerts where ended_at is null and app_id is not null)
         order by id`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Applies what `decide` makes of the unfinished alerts, and sends those that opened or ended, in one transaction. */
    reconcile: (appId: string | null, { decide, send, newId, now }: Rules): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { rows: unfinished } = await sql<Unfinished>`
          select id, kind, subject, ${ms('seen_at')} as "seenAt", ${ms('opened_at')} as "openedAt", ${ms('gone_at')} as "goneAt"
            from alerts where app_id is not distinct from ${appId}::uuid and ended_at is null for update`.execute(trx)
        const { seen, opened, gone, back, ended, forgotten } = decide(unfinished)
        for (const { kind, subject, summary, figures } of seen)
          await sql`
            insert into alerts (id, app_id, kind, subject, summary, figures, seen_at)
            select ${newId()}, ${appId}::uuid, ${kind}, ${subject}, ${summary}, ${JSON.stringify(figures)}::jsonb, ${time(now)}
             where ${appId}::uuid is null or exists (select from apps where id = ${appId}::uuid and deleted_at is null)
            on conflict do nothing`.execute(trx)
        for (const { id, summary, figures } of opened)
          await sql`
            update alerts set opened_at = ${time(now)}, summary = ${summary}, figures = ${JSON.stringify(figures)}::jsonb
             where id = ${id}`.execute(trx)
        if (gone.length > 0)
          await sql`update alerts set gone_at = ${time(now)} where id = any (${gone}::uuid[])`.execute(trx)
        if (back.length > 0) await sql`update alerts set gone_at = null where id = any (${back}::uuid[])`.execute(trx)
        if (ended.length > 0)
          await sql`update alerts set ended_at = ${time(now)} where id = any (${ended}::uuid[])`.execute(trx)
        if (forgotten.length > 0) await sql`delete from alerts where id = any (${forgotten}::uuid[])`.execute(trx)
        if (opened.length + ended.length === 0) return
        const settings = await settingsOf(trx, appId)
        for (const { id, kind } of unfinished) {
          if (opened.some((one) => one.id === id)) await send(trx, { id, kind, appId }, 'opened', settings)
          if (ended.includes(id)) await send(trx, { id, kind, appId }, 'ended', settings)
        }
      }),

    /** How many alerts of the apps of this app's owner opened in the last day. */
    async openedInDay(trx: Trx, appId: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from alerts l join apps a on a.id = l.app_id
         where a.owner_id = (select owner_id from apps where id = ${appId})
           and l.opened_at > clock_timestamp() - interval '1 day'`.execute(trx)
      return rows[0]!.count
    },

    /** Publishes an alert of an app to its webhooks. */
    async publish(trx: Trx, appId: string, id: string, event: SentEvent): Promise<void> {
      const { rows } = await sql<Alert>`select ${columns} from alerts l where l.id = ${id}`.execute(trx)
      await publishEvent(trx, { type: `alert.${event}`, appId, userId: null, subject: id, data: rows[0]! })
    },

    /** An alert to send; undefined once its app is deleted. */
    async find(id: string): Promise<SentAlert | undefined> {
      const { rows } = await sql<SentAlert>`
        select ${columns}, l.figures, l.app_id as "appId", a.name as "appName" from alerts l left join apps a on a.id = l.app_id
         where l.id = ${id} and a.deleted_at is null`.execute(db)
      return rows[0]
    },

    async appName(appId: string): Promise<string> {
      const { rows } = await sql<{ name: string }>`select name from apps where id = ${appId}`.execute(db)
      return rows[0]?.name ?? ''
    },

    /** Deletes alerts whose end is at least this many days ago. */
    async removeOld(days: number): Promise<void> {
      await sql`
        delete from alerts where ended_at < clock_timestamp() - make_interval(days => ${days}::int)`.execute(db)
    },
  }
}
