import { sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/query/batches.ts'

/** Rows of one statement, few enough for its time limit. */
const REMOVED_AT_ONCE = 10_000

/**
 * Deletes the record of a file, and with `gcps` the points it created that are unchanged. A running import stops at its
 * next batch.
 */
export async function removeUpload(
  trx: Transaction<AnyTables>,
  id: string,
  { gcps }: { gcps: boolean },
): Promise<void> {
  await sql`select id from csv_uploads where id = ${id} for update`.execute(trx)
  if (gcps) await inBatches(REMOVED_AT_ONCE, () => removeUntouched(trx, id))
  await inBatches(REMOVED_AT_ONCE, () => letGo(trx, id))
  await sql`delete from csv_uploads where id = ${id}`.execute(trx)
}

/** Deletes points that an import created and that are unchanged, with their pins. @returns how many */
async function removeUntouched(trx: Transaction<AnyTables>, id: string): Promise<number> {
  const { rows } = await sql`
    with gone as (
      select id from gcps where csv_upload_id = ${id} and edited_at is null limit ${REMOVED_AT_ONCE} for update),
    pins_gone as (delete from pins where gcp_id in (select id from gone))
    delete from gcps where id in (select id from gone) returning id`.execute(trx)
  return rows.length
}

/** Removes the reference to the file from the remaining points. @returns how many */
async function letGo(trx: Transaction<AnyTables>, id: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update gcps set csv_upload_id = null
     where id in (select id from gcps where csv_upload_id = ${id} limit ${REMOVED_AT_ONCE})`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
