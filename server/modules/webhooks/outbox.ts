import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { EventType } from './schema.ts'

export type Event = {
  type: EventType
  /** The app that it happened in, or whose key was sent when the thing was made. */
  appId: string | null
  /** Whose thing it is: the apps of this user are told as well. */
  userId: string | null
  /** The id of the thing: what is told of it arrives in the order of its changes. */
  subject: string
  /** The record, as the API answers it to whom it belongs. */
  data: object
}

/**
 * Tells the apps that want to know: each of their webhooks is sent it at least once, if and when the transaction commits.
 * Writes nothing when nobody wants to know.
 * @param db the transaction of the change
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
