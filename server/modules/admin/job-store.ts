import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { NOT_DONE } from '../../platform/database/jobs/job-queues.ts'
import { countUpTo } from '../../platform/database/row-counts.ts'
import { afterTime, type Page, pageByTime } from '../../platform/http/pages.ts'
import type { Job, JobQuery } from './schema.ts'

/** The queue's states: `created` waits for the first run, `retry` for another. */
const STATES = { failed: ['failed'], active: ['active'], waiting: ['created', 'retry'] }

export type JobStore = ReturnType<typeof jobStore>

/** Jobs in the queue's own table, in SQL. Completed ones are left out. */
export function jobStore(db: Kysely<AnyTables>) {
  return {
    /** Newest first. */
    async page({ state, queue, limit, cursor }: JobQuery): Promise<Page<Job>> {
      const before = afterTime(cursor)
      const wanted = sql`j.${sql.raw(NOT_DONE)} and j.name not like '\\_\\_pgboss%'
        ${state ? sql`and j.state = any (${STATES[state]}::pgboss.job_state[])` : sql``} ${queue === undefined ? sql`` : sql`and j.name = ${queue}`}`
      const older = before ? sql`and (j.created_on, j.id) < (${before.at}::timestamptz, ${before.id}::uuid)` : sql``
      const [{ rows }, total] = await Promise.all([
        sql<Job & { cursorAt: string }>`
          select j.id, j.name as queue,
                 case j.state when 'failed' then 'failed' when 'active' then 'active' else 'waiting' end as state,
                 j.created_on as "createdAt", j.started_on as "startedAt", j.completed_on as "endedAt",
                 case when j.started_on is null then 0 else j.retry_count + 1 end as attempts,
                 coalesce(j.data ->> 'scanId', j.data ->> 'fileId', j.data ->> 'uploadId', j.data ->> 'appId', (
                   select f.id::text from files f where f.sha256 = j.data ->> 'sha256' order by f.created_at limit 1)) as subject,
                 coalesce(j.output ->> 'message', j.output -> 'value' ->> 'message') as "errorMessage", j.created_on::text as "cursorAt"
            from pgboss.job j where ${wanted} ${older} order by j.created_on desc, j.id desc limit ${limit + 1}`.execute(
          db,
        ),
        countUpTo(db, sql`pgboss.job j where ${wanted}`),
      ])
      return pageByTime(rows, limit, total)
    },

    transaction: <T>(work: (transaction: Transaction<AnyTables>) => Promise<T>): Promise<T> =>
      db.transaction().execute(work),
  }
}
