import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../database.ts'
import { LOCK_FAMILIES } from './locks.ts'

/** PostgreSQL has space for some thousand locks in total, so owners share this many. */
const OWNER_LOCKS = 1024

/** Until the transaction ends, nobody else adds to what this owner has: it can be counted and then added to. */
export async function lockOwner(transaction: Kysely<AnyTables>, ownerId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${LOCK_FAMILIES.owners}, (hashtextextended(${ownerId}, 0) & ${OWNER_LOCKS - 1})::int)`.execute(
    transaction,
  )
}
