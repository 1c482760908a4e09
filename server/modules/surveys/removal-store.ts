import { sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/query/batches.ts'

/** So many that no statement comes near its time limit. */
const REMOVED_AT_ONCE = 10_000

/** Takes the record of a file away, and with `gcps` the points it made that nobody changed since. A running import waits, and then finds its record gone. */
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

/** Points that an import made and nobody changed since, with their pins. @returns how many of them went */
async function removeUntouched(trx: Transaction<AnyTables>, id: string): Promise<number> {
  const { rows } = await sql`
    with gone as (
      select id from gcps where csv_upload_id = ${id} and edited_at is null limit ${REMOVED_AT_ONCE} for update),
    pins_gone as (delete from pins where gcp_id in (select id from gone))
    delete from gcps where id in (select id from gone) returning id`.execute(trx)
  return rows.length
}

/** The points that stay forget their file. @returns how many did */
async function letGo(trx: Transaction<AnyTables>, id: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update gcps set csv_upload_id = null
     where id in (select id from gcps where csv_upload_id = ${id} limit ${REMOVED_AT_ONCE})`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
