import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { EventType } from './schema.ts'

export type Event = {
  type: EventType
  /** The app in which the event happened, or whose key was sent when the record was created. */
  appId: string | null
  /** The owner of the record: this user's apps receive the event too. */
  userId: string | null
  /** The ID of the record; events of one subject arrive in the order of the changes. */
  subject: string
  /** The record, as the API returns it to its owner. */
  data: object
}

/**
 * Publishes an event to every subscribed webhook of the apps concerned, delivered at least once if and when the
 * transaction commits. Writes nothing without a subscriber. @param db the transaction of the change
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
