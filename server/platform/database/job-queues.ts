import type { ClientBase } from 'pg'

export type JobQueue = {
  name: string
  /** Due, and not begun. */
  waiting: number
  active: number
  failed: number
  /** How long the one that is due longest has waited; null where none waits. */
  oldestWaitingSeconds: number | null
}

/** Jobs that wait, run or failed, in the words of the index that has them. */
export const NOT_DONE = "state in ('created', 'retry', 'active', 'failed')"

/** How each queue of jobs fares. The table is there once a service has started. */
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
