import { type Kysely, sql } from 'kysely'
import { lockContents } from '../../../platform/database/locks/locks.ts'
import type { Conversion, ConversionReport, ConversionStatus } from '../schema.ts'
import type { Tables } from '../store.ts'

export type ConversionsTable = {
  sha256: string
  status: ConversionStatus
  attempts: number
  result_id: number | null
  error_code: string | null
  error: string | null
  report: ConversionReport | null
  seconds: number | null
  created_at: string
  touched_at: string
}

/** The error code of a conversion that was interrupted too often. */
export const GIVEN_UP = 'given_up'

/** Failures that depend on the machine and its load as much as on the model, and may be retried. */
const RETRYABLE = [GIVEN_UP, 'timed_out', 'crashed']

const now = sql<string>`clock_timestamp()`

/** Conversions, one per content, in SQL. */
export function conversionStore(db: Kysely<Tables>) {
  const update = (sha256: string) => db.updateTable('conversions').where('sha256', '=', sha256)

  return {
    /** Locks the conversion of this content against requests and deletions until the transaction ends. */
    lock: async (sha256: string): Promise<void> => {
      await lockContents(db, [sha256])
    },

    /**
     * @returns whether a run is needed: there was none, the last failed a while ago for a retryable reason, or its job
     * is lost
     */
    request: async (sha256: string, staleSeconds: number): Promise<boolean> =>
      (await db
        .insertInto('conversions')
        .values({ sha256 } as ConversionsTable)
        .onConflict((on) =>
          on
            .column('sha256')
            .doUpdateSet({ status: 'PENDING', attempts: 0, error_code: null, error: null, touched_at: now })
            .where(
              sql<boolean>`case conversions.status
                when 'FAILED' then conversions.error_code = any(${RETRYABLE}) and conversions.touched_at < now() - interval '1 minute'
                when 'COMPLETED' then false
                else conversions.touched_at < now() - make_interval(secs => ${staleSeconds}) end`,
            ),
        )
        .returning('sha256')
        .executeTakeFirst()) !== undefined,

    /** Restarts a failed conversion. @returns false if it has not failed, or is already running */
    restart: async (sha256: string): Promise<boolean> =>
      (await update(sha256)
        .set({ status: 'PENDING', attempts: 0, error_code: null, error: null, touched_at: now })
        .where('status', '=', 'FAILED')
        .returning('sha256')
        .executeTakeFirst()) !== undefined,

    get: async (sha256: string): Promise<Conversion | undefined> => {
      const row = await db
        .selectFrom('conversions')
        .leftJoin('files', 'files.id', 'conversions.result_id')
        .select([
          'status',
          'error_code as errorCode',
          'error',
          'report',
          'seconds',
          'files.id as id',
          'files.key as key',
          'files.size as size',
        ])
        .where('conversions.sha256', '=', sha256)
        .executeTakeFirst()
      if (!row) return undefined
      const { id, key, size, ...rest } = row
      return { sha256, ...rest, result: id === null || key === null || size === null ? null : { id, key, size } }
    },

    /** @returns the number of runs, this one included; undefined if there is nothing to do */
    begin: async (sha256: string): Promise<number | undefined> => {
      const row = await update(sha256)
        .set({ status: 'PROCESSING', attempts: sql`attempts + 1`, touched_at: now })
        .where('status', 'in', ['PENDING', 'PROCESSING'])
        .returning('attempts')
        .executeTakeFirst()
      return row?.attempts
    },

    /** Does not count an interrupted run that is not the model's fault. */
    uncount: async (sha256: string): Promise<void> => {
      await update(sha256)
        .set({ status: 'PENDING', attempts: sql`greatest(attempts - 1, 0)`, touched_at: now })
        .where('status', '=', 'PROCESSING')
        .execute()
    },

    /** @returns false if it was completed or deleted meanwhile */
    complete: async (
      sha256: string,
      { resultId, report, seconds }: { resultId: number; report: ConversionReport; seconds: number },
    ): Promise<boolean> => {
      const row = await update(sha256)
        .set({
          status: 'COMPLETED',
          result_id: resultId,
          report: sql`${JSON.stringify(report)}::jsonb`,
          seconds,
          touched_at: now,
        })
        .where('status', '=', 'PROCESSING')
        .returning('sha256')
        .executeTakeFirst()
      return row !== undefined
    },

    /** @returns false if it was completed or deleted meanwhile */
    fail: async (sha256: string, { code, error }: { code: string; error: string }): Promise<boolean> => {
      const row = await update(sha256)
        .set({ status: 'FAILED', error_code: code, error, touched_at: now })
        .where('status', '=', 'PROCESSING')
        .returning('sha256')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deletes the conversion of a content that no file has. */
    forgetUnused: async (sha256: string): Promise<void> => {
      await sql`delete from conversions where sha256 = ${sha256}
                 and not exists (select from files where files.sha256 = ${sha256})`.execute(db)
    },
  }
}
