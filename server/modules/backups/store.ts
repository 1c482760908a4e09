import type { ClientBase } from 'pg'
import { LOCKS } from '../../platform/database/locks/locks.ts'

/** Times in milliseconds since 1970. */
export type BackupState = {
  /** Start of the last attempt. */
  triedAt: number | null
  success: { at: number; seconds: number; bytes: number; place: string } | null
  failure: { at: number; message: string } | null
  /** Whether a process is making a backup now. */
  isRunning: boolean
}

export type BackupStore = ReturnType<typeof backupStore>

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const time = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`
/** Whether the last attempt has no outcome. */
const UNKNOWN = `tried_at > greatest(succeeded_at, failed_at) is not false and tried_at is not null`

/** The state of scheduled backups, in SQL. */
export function backupStore(pool: Pick<ClientBase, 'query'>) {
  return {
    async read(): Promise<BackupState> {
      const { rows } = await pool.query<{
        triedAt: number | null
        succeededAt: number | null
        seconds: number
        bytes: string
        place: string
        failedAt: number | null
        message: string
        isRunning: boolean
      }>(
        `select ${ms('tried_at')} as "triedAt", ${ms('succeeded_at')} as "succeededAt", seconds, bytes, place,
                ${ms('failed_at')} as "failedAt", failure as message,
                exists (select from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1
                  and objsubid = 1 and database = (select oid from pg_database where datname = current_database())) as "isRunning"
           from backup_state`,
        [LOCKS.scheduledBackup],
      )
      const { triedAt, succeededAt, seconds, bytes, place, failedAt, message, isRunning } = rows[0]!
      return {
        triedAt,
        success: succeededAt === null ? null : { at: succeededAt, seconds, bytes: Number(bytes), place },
        failure: failedAt === null ? null : { at: failedAt, message },
        isRunning,
      }
    },

    /** Records the start of an attempt. @param lost the error of the previous attempt if it has no outcome */
    async start(at: number, lost: string): Promise<void> {
      await pool.query(
        `update backup_state set tried_at = ${time('$1')},
           failed_at = case when ${UNKNOWN} then ${time('$1')} else failed_at end,
           failure = case when ${UNKNOWN} then $2 else failure end`,
        [at, lost],
      )
    },

    async succeed({ at, seconds, bytes, place }: NonNullable<BackupState['success']>): Promise<void> {
      await pool.query(`update backup_state set succeeded_at = ${time('$1')}, seconds = $2, bytes = $3, place = $4`, [
        at,
        seconds,
        bytes,
        place,
      ])
    },

    async fail(at: number, message: string): Promise<void> {
      await pool.query(`update backup_state set failed_at = ${time('$1')}, failure = $2`, [at, message])
    },

    /** The stop of the process interrupted the attempt. That is no failure: the next start retries it. */
    async forget(): Promise<void> {
      await pool.query('update backup_state set tried_at = null')
    },

    /** The approximate size of a backup in bytes: the tables without their indexes, and the files. */
    async expectedBytes(): Promise<number> {
      const { rows } = await pool.query<{ bytes: string }>(
        `select (select coalesce(sum(pg_table_size(oid)), 0) from pg_class
                  where relnamespace = current_schema()::regnamespace and relkind = 'r')
              + (select coalesce(sum(size), 0) from files) as bytes`,
      )
      return Number(rows[0]!.bytes)
    },
  }
}
