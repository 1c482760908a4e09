import { type Kysely, sql, type Transaction } from 'kysely'
import { lockOwner } from '../../platform/database/locks/ownership.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import { quotaExceeded } from '../../platform/quotas.ts'
import { removeUpload } from './removal-store.ts'
import { type FindingsTable, reportStore } from './report/report-store.ts'
import type { CsvUpload, ImportOptions, NewCsvUpload, ReadingOptions, RetryOptions } from './schema.ts'

type UploadsTable = {
  id: string
  zone_id: number
  user_id: string | null
  app_id: string | null
  file_name: string
  file_url: string
  object_key: string
  status: CsvUpload['status']
  error_message: string | null
  row_count: number | null
  processed_rows: number | null
  dry_run: boolean
  on_error: 'skip' | 'abort'
  crs: string | null
  header: string | null
  reading: unknown
  sample: unknown
  detected: unknown
  settled_rows: number
  created_rows: number
  updated_rows: number
  unchanged_rows: number
  failed_rows: number
  warnings: number
  created_at: string
  updated_at: string
}
export type CsvTables = {
  csv_uploads: UploadsTable
  csv_upload_findings: FindingsTable
}

const recordColumns = [
  'id',
  'file_name as fileName',
  'file_url as fileUrl',
  'status',
  'error_message as errorMessage',
  'row_count as rowCount',
  'processed_rows as processedRows',
  'user_id as userId',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'zone_id as zoneId',
  'dry_run as dryRun',
  'on_error as onError',
  'crs',
  'header',
  sql<string | null>`reading ->> 'layer'`.as('layer'),
  sql<string | null>`reading ->> 'angles'`.as('angles'),
  sql<number | null>`(reading ->> 'maxError')::float8`.as('maxError'),
  sql<string | null>`reading ->> 'heightDatum'`.as('heightDatum'),
  sql<boolean>`coalesce((reading ->> 'swapAxes')::boolean, false)`.as('swapAxes'),
] as const

/** An upload with internal columns beside the record. */
export type StoredUpload = CsvUpload & { fileUrl: string; objectKey: string }
const columns = [...recordColumns, 'object_key as objectKey'] as const

const readingOf = ({ layer, angles, maxError, heightDatum, swapAxes }: ReadingOptions): string =>
  JSON.stringify({ layer, angles, maxError, heightDatum, swapAxes })

/** @throws 429 */
async function assertWithinQuota(trx: Transaction<CsvTables>, userId: string, most: number): Promise<void> {
  const { count } = await trx
    .selectFrom('csv_uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .executeTakeFirstOrThrow()
  if (count > most) throw quotaExceeded('imports', most)
}

export type CsvStore = ReturnType<typeof csvStore>
type InTransaction = (transaction: Transaction<CsvTables>, id: string) => Promise<void>

/** SQL of imports and their records. The writes of a running import are in import-store. */
export function csvStore(db: Kysely<CsvTables>) {
  const get = (id: string): Promise<StoredUpload | undefined> =>
    db.selectFrom('csv_uploads').select(columns).where('id', '=', id).executeTakeFirst() as Promise<
      StoredUpload | undefined
    >

  return {
    ...reportStore(db),
    get,

    /**
     * Registers a file, and runs `also` in the transaction: its job. Returns the open import of the same file in the
     * zone, if any. @param most maximum open imports of the user @throws 429
     */
    async register(
      id: string,
      upload: NewCsvUpload & ImportOptions & { objectKey: string; appId?: string | null },
      userId: string,
      most: number,
      also: InTransaction,
    ) {
      const made = await db.transaction().execute(async (trx) => {
        await lockOwner(trx as never, userId)
        const record = await trx
          .insertInto('csv_uploads')
          .values({
            id,
            zone_id: upload.zoneId,
            user_id: userId,
            app_id: upload.appId ?? null,
            file_name: upload.fileName,
            file_url: upload.fileUrl,
            object_key: upload.objectKey,
            row_count: upload.rowCount != null && upload.rowCount < 2 ** 31 ? upload.rowCount : null,
            processed_rows: 0,
            dry_run: upload.dryRun,
            on_error: upload.onError,
            crs: upload.crs ?? null,
            header: upload.header ?? null,
            reading: readingOf(upload),
          } as never)
          .onConflict((on) => on.doNothing())
          .returning(columns)
          .executeTakeFirst()
        if (record) {
          await assertWithinQuota(trx, userId, most)
          await also(trx, id)
        }
        return record as StoredUpload | undefined
      })
      return made ?? (await this.running(upload))
    },

    /**
     * Resets a failed import with other options, and runs `also` in the transaction: its job. Applied rows stay and are
     * found unchanged. @returns undefined unless it had failed and the file has no other open import
     */
    restart: (
      id: string,
      { crs, header, onError, ...others }: RetryOptions,
      { userId, most }: { userId: string | null; most: number },
      also: InTransaction,
    ): Promise<StoredUpload | undefined> =>
      db.transaction().execute(async (trx) => {
        if (userId !== null) await lockOwner(trx as never, userId)
        const { rows } = await sql<{ id: string }>`
          update csv_uploads u set status = 'PENDING', error_message = null, processed_rows = 0, settled_rows = 0, created_rows = 0,
                 updated_rows = 0, unchanged_rows = 0, failed_rows = 0, warnings = 0, crs = coalesce(${crs ?? null}, crs),
                 header = coalesce(${header ?? null}, header), reading = reading || ${readingOf(others)}::jsonb, sample = null,
                 on_error = coalesce(${onError ?? null}, on_error), updated_at = clock_timestamp()
           where id = ${id} and status = 'FAILED'
             and not exists (select from csv_uploads o where o.zone_id = u.zone_id and o.file_url = u.file_url
                                and o.dry_run = u.dry_run and o.status in ('PENDING', 'PROCESSING'))
          returning id`.execute(trx)
        if (rows.length === 0) return undefined
        if (userId !== null) await assertWithinQuota(trx, userId, most)
        await trx.deleteFrom('csv_upload_findings').where('upload_id', '=', id).execute()
        await also(trx, id)
        return (await csvStore(trx).get(id))!
      }),

    running: ({ zoneId, fileUrl, dryRun }: { zoneId: number; fileUrl: string; dryRun: boolean }) =>
      db
        .selectFrom('csv_uploads')
        .select(columns)
        .where('zone_id', '=', zoneId)
        .where('file_url', '=', fileUrl)
        .where('dry_run', '=', dryRun)
        .where('status', 'in', ['PENDING', 'PROCESSING'])
        .executeTakeFirst() as Promise<StoredUpload | undefined>,

    /**
     * Marks a file as downloaded, and runs `also` in the transaction.
     * @returns whether the record still waits for it
     */
    fetched: (id: string, also: InTransaction): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const waiting = await trx
          .selectFrom('csv_uploads')
          .select('id')
          .where('id', '=', id)
          .where('status', '=', 'PENDING')
          .forUpdate()
          .executeTakeFirst()
        if (waiting) await also(trx, id)
        return waiting !== undefined
      }),

    /** A page of a zone's files, newest first. */
    async ofZone(
      zoneId: number,
      userId: string | undefined,
      { limit, cursor }: PageQuery,
    ): Promise<Page<StoredUpload>> {
      let all = db.selectFrom('csv_uploads').where('zone_id', '=', zoneId)
      if (userId !== undefined) all = all.where('user_id', '=', userId)
      const after = afterTime(cursor)
      const older = after && sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`
      const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
      const rows = await (older ? all.where(older) : all)
        .select([...columns, sql<string>`created_at::text`.as('cursorAt')])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageByTime(rows as (StoredUpload & { cursorAt: string })[], limit, total)
    },

    /**
     * Deletes a file's record, and with `gcps` the points it created that are unchanged. A running import stops at its
     * next batch.
     */
    remove: (id: string, { gcps }: { gcps: boolean }): Promise<void> =>
      db.transaction().execute((trx) => removeUpload(trx, id, { gcps })),

    /** Whether any record references this file of the user. */
    uses: async (objectKey: string, userId: string | null): Promise<boolean> => {
      const { rows } = await sql<{
        isUsed: boolean
      }>`select object_is_held(${objectKey}, ${userId}) as "isUsed"`.execute(reading(db))
      return rows[0]!.isUsed
    },

    /** Sets the state of a file, unless it has ended. */
    async settle(
      id: string,
      status: 'PROCESSING' | 'COMPLETED' | 'FAILED',
      errorMessage: string | null,
    ): Promise<void> {
      await db
        .updateTable('csv_uploads')
        .set({
          status,
          error_message: errorMessage,
          updated_at: sql`clock_timestamp()`,
          ...(status === 'PROCESSING' ? {} : { row_count: sql`settled_rows` }),
        } as never)
        .where('id', '=', id)
        .where('status', 'in', ['PENDING', 'PROCESSING'])
        .execute()
    },

    /** Marks all rows of an aborted import as not applied. */
    async noneApplied(id: string): Promise<void> {
      await db
        .updateTable('csv_uploads')
        .set({ processed_rows: 0, created_rows: 0, updated_rows: 0, unchanged_rows: 0 })
        .where('id', '=', id)
        .execute()
    },

    async saveDetected(id: string, detected: object): Promise<void> {
      await db
        .updateTable('csv_uploads')
        .set({ detected: sql`${JSON.stringify(detected)}::jsonb` })
        .where('id', '=', id)
        .execute()
    },
  }
}
