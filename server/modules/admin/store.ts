import type { Pool } from 'pg'
import { jobQueues } from '../../platform/database/jobs/job-queues.ts'
import { registeredProcesses } from '../../platform/database/locks/process-registry.ts'
import type { Health } from './schema.ts'

export type BoxStore = ReturnType<typeof boxStore>

/** State of the database, and what it knows of processes, jobs and webhooks. */
export function boxStore(pool: Pool) {
  const one = async <Row extends object>(text: string): Promise<Row> => (await pool.query<Row>(text)).rows[0]!

  return {
    ping: () => pool.query('select 1'),
    processes: () => registeredProcesses(pool),
    queues: () => jobQueues(pool),

    size: () =>
      one<Pick<Health['database'], 'bytes' | 'connections'>>(`
        select pg_database_size(current_database()) as bytes,
               (select count(*) from pg_stat_activity where datname = current_database()) as connections`),

    webhooks: () =>
      one<Health['webhooks']>(`
        select (select count(*) from webhook_deliveries d where d.status = 'PENDING') as waiting,
               (select count(*) from webhook_endpoints e where e.deleted_at is null
                   and (e.failing_since is not null or e.disabled_reason is not null)) as failing`),
  }
}
