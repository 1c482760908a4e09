import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { EventType } from './schema.ts'

export type Event = {
  type: EventType
  /** The app in which it happened, or whose key was sent when the record was created. */
  appId: string | null
  /** The owner of the record, whose apps receive the event too. */
  userId: string | null
  /** The ID of the record. Events about one subject arrive in the order of its changes. */
  subject: string
  /** The record as the API returns it to its owner, with stored addresses. */
  data: object
}

/**
 * Writes an event for each subscribed webhook, delivered at least once if the transaction commits. Without a subscription
 * it writes nothing. @param db the transaction of the change
 */
export async function publishEvent(
  db: Kysely<AnyTables>,
  { type, appId, userId, subject, data }: Event,
): Promise<void> {
  await sql`
    select publish_event(${appId}::uuid, ${userId}::uuid, ${type}::text, ${subject}::text, ${JSON.stringify(data)}::jsonb)`.execute(
    db,
  )
}
