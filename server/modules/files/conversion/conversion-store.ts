import { type Kysely, sql } from 'kysely'
import { lockContents } from '../../../platform/database/locks/locks.ts'
import type { Conversion, ConversionReport, ConversionStatus } from '../schema.ts'
import type { Tables } from '../store.ts'
import { type ConversionKey, optionsOf } from './conversion-key.ts'

export type ConversionsTable = {
  sha256: string
  /** Of a conversion with options. */
  options?: string
  /** The file whose image is in the result, of one with options. */
  anchor_image_id?: number | null
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

/** How many sets of options a content may have been converted with. */
export const MAX_OPTION_SETS = 20

/** Conversions with options have a table of their own, with the same columns. */
const tableOf = ({ options }: ConversionKey) =>
  (options === '' ? 'conversions' : 'conversions_with_options') as 'conversions'

function newRow(key: ConversionKey): ConversionsTable {
  const options = optionsOf(key.options)
  const row = options ? { ...key, anchor_image_id: options.anchorImageId ?? null } : { sha256: key.sha256 }
  return row as ConversionsTable
}

/** Conversions, one per content and set of options, in SQL. */
export function conversionStore(db: Kysely<Tables>) {
  const is = ({ sha256, options }: ConversionKey) =>
    options === '' ? sql<boolean>`sha256 = ${sha256}` : sql<boolean>`sha256 = ${sha256} and options = ${options}`
  const update = (key: ConversionKey) => db.updateTable(tableOf(key)).where(is(key))

  return {
    /** Locks the conversion of this content against requests and deletions until the transaction ends. */
    lock: async (sha256: string): Promise<void> => {
      await lockContents(db, [sha256])
    },

    /**
     * @returns whether a run is needed: there was none, the last failed a while ago for a retryable reason, or its job
     * is lost
     */
    request: async (key: ConversionKey, staleSeconds: number): Promise<boolean> => {
      const [status, code, touched] = ['status', 'error_code', 'touched_at'].map((name) =>
        sql.ref(`${tableOf(key)}.${name}`),
      )
      const row = await db
        .insertInto(tableOf(key))
        .values(newRow(key))
        .onConflict((on) =>
          on
            .columns(key.options === '' ? ['sha256'] : ['sha256', 'options'])
            .doUpdateSet({ status: 'PENDING', attempts: 0, error_code: null, error: null, touched_at: now })
            .where(
              sql<boolean>`case ${status}
                when 'FAILED' then ${code} = any(${RETRYABLE}) and ${touched} < now() - interval '1 minute'
                when 'COMPLETED' then false
                else ${touched} < now() - make_interval(secs => ${staleSeconds}) end`,
            ),
        )
        .returning('sha256')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Restarts a failed conversion. @returns false if it has not failed, or is already running */
    restart: async (key: ConversionKey): Promise<boolean> =>
      (await update(key)
        .set({ status: 'PENDING', attempts: 0, error_code: null, error: null, touched_at: now })
        .where('status', '=', 'FAILED')
        .returning('sha256')
        .executeTakeFirst()) !== undefined,

    get: async (conversion: ConversionKey): Promise<Conversion | undefined> => {
      const row = await db
        .selectFrom(`${tableOf(conversion)} as c`)
        .leftJoin('files', 'files.id', 'c.result_id')
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
        .where('c.sha256', '=', conversion.sha256)
        .where(conversion.options === '' ? sql<boolean>`true` : sql<boolean>`options = ${conversion.options}`)
        .executeTakeFirst()
      if (!row) return undefined
      const { id, key, size, ...rest } = row
      const options = optionsOf(conversion.options)
      return { ...rest, options, result: id === null || key === null || size === null ? null : { id, key, size } }
    },

    /** @returns the number of runs, this one included; undefined if there is nothing to do */
    begin: async (key: ConversionKey): Promise<number | undefined> => {
      const row = await update(key)
        .set({ status: 'PROCESSING', attempts: sql`attempts + 1`, touched_at: now })
        .where('status', 'in', ['PENDING', 'PROCESSING'])
        .returning('attempts')
        .executeTakeFirst()
      return row?.attempts
    },

    /** Does not count an interrupted run that is not the model's fault. */
    uncount: async (key: ConversionKey): Promise<void> => {
      await update(key)
        .set({ status: 'PENDING', attempts: sql`greatest(attempts - 1, 0)`, touched_at: now })
        .where('status', '=', 'PROCESSING')
        .execute()
    },

    /** @returns false if it was completed or deleted meanwhile */
    complete: async (
      key: ConversionKey,
      { resultId, report, seconds }: { resultId: number; report: ConversionReport; seconds: number },
    ): Promise<boolean> => {
      const row = await update(key)
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
    fail: async (key: ConversionKey, { code, error }: { code: string; error: string }): Promise<boolean> => {
      const row = await update(key)
        .set({ status: 'FAILED', error_code: code, error, touched_at: now })
        .where('status', '=', 'PROCESSING')
        .returning('sha256')
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Makes room for another set of options: one that failed gives way. The lock of the content is held. @returns false
     * if the content has as many results as it may have
     */
    hasRoomFor: async ({ sha256, options }: ConversionKey): Promise<boolean> => {
      const { rows } = await sql<{ options: string; status: ConversionStatus }>`
        select options, status from conversions_with_options where sha256 = ${sha256} order by touched_at`.execute(db)
      if (rows.length < MAX_OPTION_SETS || rows.some((row) => row.options === options)) return true
      const failed = rows.find(({ status }) => status === 'FAILED')
      if (!failed) return false
      await sql`delete from conversions_with_options where sha256 = ${sha256} and options = ${failed.options}`.execute(
        db,
      )
      return true
    },

    /** Deletes the conversions of a content that no file has. They have no results: those go with the last file. */
    forgetUnused: async (sha256: string): Promise<void> => {
      for (const table of ['conversions', 'conversions_with_options'])
        await sql`delete from ${sql.table(table)} where sha256 = ${sha256}
                   and not exists (select from files where files.sha256 = ${sha256})`.execute(db)
    },
  }
}
