import { type Kysely, sql, type Transaction } from 'kysely'
import { inBatches } from '../../platform/database/batches.ts'
import type { AnyTables } from '../../platform/database/database.ts'

/** What belongs to a zone. A GCP's pin counts with its GCP. */
export type ZoneContents = { gcps: number; pins: number; csvUploads: number }

/** An imported file that went with its zone. */
export type RemovedUpload = { objectKey: string; fileUrl: string; userId: string | null }

export type RemovalStore = ReturnType<typeof removalStore>

/** So many at a time, each well within the time a statement may take. */
const BATCH = 10_000

/** Taking zones away, in SQL. */
export function removalStore(db: Kysely<AnyTables>) {
  return {
    /**
     * Takes a zone away, all or nothing: with its contents if `cascade`, else only when it has none. Nothing gets into
     * the zone meanwhile: who wants to waits, and then finds it gone.
     * @returns undefined when there is no such zone, its contents when it is not empty, else the files that went with it
     */
    remove: (id: number, { cascade }: { cascade: boolean }): Promise<ZoneContents | RemovedUpload[] | undefined> =>
      db.transaction().execute(async (trx) => {
        // Imports hold their record, then what they write: in this order nobody waits for the other in a circle.
        await sql`select id from csv_uploads where zone_id = ${id} order by id for update`.execute(trx)
        const { rows } = await sql`select id from zones where id = ${id} for update`.execute(trx)
        if (rows.length === 0) return undefined
        const contents = await contentsOf(trx, id)
        if (!cascade && contents.gcps + contents.pins + contents.csvUploads > 0) return contents
        // GCPs take their pins along, and let go of their photos.
        await deleteAll(trx, sql`gcps`, id)
        await deleteAll(trx, sql`pins`, id)
        const uploads = await sql<RemovedUpload>`
          delete from csv_uploads where zone_id = ${id} returning object_key as "objectKey", file_url as "fileUrl", user_id as "userId"`.execute(
          trx,
        )
        await sql`delete from zones where id = ${id}`.execute(trx)
        return uploads.rows
      }),
  }
}

async function contentsOf(trx: Transaction<AnyTables>, id: number): Promise<ZoneContents> {
  const { rows } = await sql<ZoneContents>`
    select (select count(*) from gcps where zone_id = ${id}) as gcps,
           (select count(*) from pins where zone_id = ${id} and gcp_id is null) as pins,
           (select count(*) from csv_uploads where zone_id = ${id}) as "csvUploads"`.execute(trx)
  return rows[0]!
}

const deleteAll = (trx: Transaction<AnyTables>, table: ReturnType<typeof sql>, zoneId: number): Promise<void> =>
  inBatches(BATCH, async () => {
    const { numAffectedRows } = await sql`
      delete from ${table} where id in (select id from ${table} where zone_id = ${zoneId} order by id limit ${BATCH})`.execute(
      trx,
    )
    return numAffectedRows
  })
