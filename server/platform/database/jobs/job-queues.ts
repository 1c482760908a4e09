import type { ClientBase, Pool } from 'pg'
import { inBatches } from '../query/batches.ts'

export type JobQueue = {
  name: string
  /** Jobs that are due and not started. */
  waiting: number
  active: number
  failed: number
  /** Age of the longest due job in seconds; null if none is due. */
  oldestWaitingSeconds: number | null
}

/** Jobs that have not completed, in the words of the partial index. */
export const NOT_DONE = "state in ('created', 'retry', 'active', 'failed')"

/** The state of each job queue. Needs pg-boss's table, which exists once a service has started. */
export async function jobQueues(db: Pick<ClientBase, 'query'>): Promise<JobQueue[]> {
  const { rows } = await db.query<JobQueue>(
    `select q.name, count(*) filter (where j.state in ('created', 'retry') and j.start_after <= now())::int as waiting,
            count(*) filter (where j.state = 'active')::int as active, count(*) filter (where j.state = 'failed')::int as failed,
            extract(epoch from now() - min(j.start_after) filter (
              where j.state in ('created', 'retry') and j.start_after <= now()))::float8 as "oldestWaitingSeconds"
       from pgboss.queue q left join pgboss.job j
         on j.name = q.name and j.${NOT_DONE}
      where q.name not like '\\_\\_pgboss%' group by q.name order by q.name`,
  )
  return rows
}

const FORGOTTEN_AT_ONCE = 20_000
const BATCHES = 10

/**
 * Deletes jobs that completed at least an hour ago, at most 200,000, so that an ending process need not wait long:
 * pg-boss scans all stored jobs in its maintenance, and these are never read.
 */
export const deleteFinishedJobs = (pool: Pool): Promise<void> =>
  inBatches(
    FORGOTTEN_AT_ONCE,
    async () => {
      const { rowCount } = await pool.query(
        `delete from pgboss.job_common where ctid = any(array(
           select ctid from pgboss.job_common where state = 'completed' and completed_on < now() - interval '1 hour'
            limit $1 for update skip locked))`,
        [FORGOTTEN_AT_ONCE],
      )
      return rowCount
    },
    BATCHES,
  )
