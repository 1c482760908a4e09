import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../database.ts'
import { LOCK_FAMILIES } from './locks.ts'

/** PostgreSQL has space for some thousand locks in total, so owners share this many. */
const OWNER_LOCKS = 1024

/** Serializes creations by this owner until the transaction ends, so that they can be counted first. */
export async function lockOwner(transaction: Kysely<AnyTables>, ownerId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${LOCK_FAMILIES.owners}, (hashtextextended(${ownerId}, 0) & ${OWNER_LOCKS - 1})::int)`.execute(
    transaction,
  )
}
