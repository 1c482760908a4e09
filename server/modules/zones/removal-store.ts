import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/query/batches.ts'
import type { WriteCheck } from '../../platform/records/changes.ts'

/** The contents of a zone. A GCP's pin counts with its GCP. */
export type ZoneContents = { gcps: number; pins: number; csvUploads: number }

export type RemovalStore = ReturnType<typeof removalStore>

/** Rows per statement, well within the statement timeout. */
const BATCH = 10_000

/** Deletes zones, in SQL. */
export function removalStore(db: Kysely<AnyTables>) {
  return {
    /**
     * Deletes a zone, all or nothing: with its contents if `cascade`, otherwise only if it is empty. Concurrent writes
     * into the zone wait, and then find it gone. @returns undefined if there is no such zone; its contents if it is not
     * empty and stays @throws the error of `check`
     */
    remove: (
      id: number,
      { cascade }: { cascade: boolean },
      check?: WriteCheck,
    ): Promise<ZoneContents | 'removed' | undefined> =>
      db.transaction().execute(async (trx) => {
        // Imports lock their record, then what they write: the same order here prevents deadlocks.
        await sql`select id from csv_uploads where zone_id = ${id} order by id for update`.execute(trx)
        const { rows } = await sql`select id from zones where id = ${id} for update`.execute(trx)
        if (rows.length === 0) return undefined
        await check?.(trx)
        const contents = await contentsOf(trx, id)
        if (!cascade && contents.gcps + contents.pins + contents.csvUploads > 0) return contents
        // Deleting GCPs deletes their pins and releases their photos.
        await deleteAll(trx, sql`gcps`, id)
        await deleteAll(trx, sql`pins`, id)
        await deleteUploads(trx, id)
        await sql`delete from zones where id = ${id}`.execute(trx)
        return 'removed'
      }),
  }
}

async function contentsOf(trx: Transaction<AnyTables>, id: number): Promise<ZoneContents> {
  const { rows } = await sql<ZoneContents>`
    select rows_counted('gcps', ${id}::bigint::text) as gcps,
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

type Upload = { objectKey: string; fetched: boolean; userId: string | null }
const keysOf = (uploads: Upload[]) => uploads.map(({ objectKey }) => objectKey)

/**
 * Deletes the import records of a zone, and their files unless something else uses them: files fetched for the import,
 * and files that the importer uploaded. Files sent without a session stay. The bytes follow as unused objects.
 */
async function deleteUploads(trx: Transaction<AnyTables>, zoneId: number): Promise<void> {
  const { rows } = await sql<Upload>`
    delete from csv_uploads where zone_id = ${zoneId}
    returning object_key as "objectKey", user_id as "userId",
              not exists (select from files f where f.key = object_key) as fetched`.execute(trx)
  const fetched = rows.filter((upload) => upload.fetched)
  const sent = rows.filter((upload) => !upload.fetched && upload.userId !== null)
  await sql`
    with gone as (
      delete from files f using unnest(${keysOf(sent)}::text[], ${sent.map(({ userId }) => userId)}::uuid[]) as sent (key, user_id)
       where f.key = sent.key and f.user_id = sent.user_id and not object_is_held(f.key, f.user_id)
         and not exists (select from conversion_results where result_id = f.id)
      returning f.key)
    insert into unused_objects (key)
    select key from gone
    union select key from unnest(${keysOf(fetched)}::text[], ${fetched.map(({ userId }) => userId)}::uuid[]) as fetched (key, user_id)
     where not object_is_held(key, user_id)
    on conflict do nothing`.execute(trx)
}
