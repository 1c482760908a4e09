import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { AnyTables } from '../../../platform/database/database.ts'
import { totalOf } from '../../../platform/database/row-counts.ts'
import { reading } from '../../../platform/database/write-tracking.ts'
import { cutPage, decodeCursor, type Page } from '../../../platform/http/pages.ts'
import type { Attempt, Delivery, DeliveryQuery } from '../schema.ts'

const record = sql.raw(`
  d.id, d.type as "eventType", d.subject, d.status, d.tried as attempts,
  (d.attempts -> -1 ->> 'status')::int as "lastStatus", d.created_at as "createdAt",
  case when d.status = 'PENDING' and d.hold is distinct from 'BEHIND' then d.due_at end as "nextAttemptAt",
  d.settled_at as "settledAt"`)

/** Sets a delivery to pending: due at once, with its full retry time. */
const pendingAgain = sql.raw(
  `status = 'PENDING', hold = null, due_at = clock_timestamp(), tried_since = null, failures = 0, settled_at = null`,
)

export type DeliveryStore = ReturnType<typeof deliveryStore>

/** The delivery log, in SQL. */
export function deliveryStore(db: Kysely<AnyTables>) {
  const deliveriesOf = (appId: string, endpointId: string) => sql`d.app_id = ${appId} and d.endpoint_id = ${endpointId}`

  return {
    /** Newest first. */
    async page(
      appId: string,
      endpointId: string,
      { limit, cursor, ...filter }: DeliveryQuery,
    ): Promise<Page<Delivery>> {
      const { status, eventType, subject, since, until } = filter
      const before = decodeCursor(cursor, z.tuple([z.uuid()]))
      const matching = sql`${deliveriesOf(appId, endpointId)}
        ${status ? sql`and d.status = ${status}` : sql``}
        ${eventType ? sql`and d.type = ${eventType}` : sql``}
        ${subject ? sql`and d.subject = ${subject}` : sql``}
        ${since ? sql`and d.created_at >= ${since}::timestamptz` : sql``}
        ${until ? sql`and d.created_at < ${until}::timestamptz` : sql``}`
      const [{ rows }, total] = await Promise.all([
        sql<Delivery>`
          select ${record} from webhook_deliveries d where ${matching} ${before ? sql`and d.id < ${before[0]}` : sql``}
           order by d.id desc limit ${limit + 1}`.execute(db),
        totalOf(
          db,
          { table: 'webhook_deliveries', scope: endpointId },
          filter,
          sql`webhook_deliveries d where ${matching}`,
        ),
      ])
      const page = cutPage(rows, limit, ({ id }) => [id])
      return { ...page, total }
    },

    async get(appId: string, endpointId: string, id: string) {
      const { rows } = await sql<Delivery & { data: Record<string, unknown>; log: Attempt[] }>`
        select ${record}, coalesce(d.data, e.data) as data, d.attempts as log
          from webhook_deliveries d left join webhook_events e on e.id = d.id
         where ${deliveriesOf(appId, endpointId)} and d.id = ${id}`.execute(reading(db))
      return rows[0]
    },

    /** Sends a delivery again, unless it is being sent. @returns whether it exists */
    async resend(appId: string, endpointId: string, id: string): Promise<boolean> {
      const { rows } = await sql`
        with changed as (
          update webhook_deliveries d set ${pendingAgain} where ${deliveriesOf(appId, endpointId)} and d.id = ${id} and d.hold is null)
        select from webhook_deliveries d where ${deliveriesOf(appId, endpointId)} and d.id = ${id}`.execute(db)
      return rows.length > 0
    },

    /** Sends failed deliveries again. @returns how many */
    async resendFailed(appId: string, endpointId: string, since: string): Promise<number> {
      const { numAffectedRows } = await sql`
        update webhook_deliveries d set ${pendingAgain}
         where ${deliveriesOf(appId, endpointId)} and d.status = 'FAILED' and d.created_at >= ${since}::timestamptz`.execute(
        db,
      )
      return Number(numAffectedRows ?? 0)
    },

    /** Adds an event for this endpoint only, which is due before all that waits. @returns its ID */
    async insert(
      appId: string,
      endpointId: string,
      { type, subject, data }: { type: string; subject: string; data: object },
    ): Promise<string> {
      const { rows } = await sql<{ id: string }>`
        with event as (
          insert into webhook_events (id, subject, endpoints, data)
          values (new_event_id(), ${subject}, array[${endpointId}::uuid], ${JSON.stringify(data)}::jsonb) returning *)
        insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, bytes, due_at)
        select ${appId}, ${endpointId}, e.id, ${type}, e.subject, pg_column_size(e.data), clock_timestamp() - interval '30 days'
          from event e returning id`.execute(db)
      return rows[0]!.id
    },
  }
}
