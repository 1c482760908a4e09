import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { Jobs } from '../../platform/database/jobs/jobs.ts'
import type { Page } from '../../platform/http/pages.ts'
import type { JobStore } from './job-store.ts'
import type { Job, JobQuery } from './schema.ts'

type Deps = { store: JobStore; jobs: Pick<Jobs, 'retry' | 'wake'>; audit: AuditLog }

export type JobService = ReturnType<typeof jobService>

/** Lists the jobs of the installation and retries failed ones. */
export function jobService({ store, jobs, audit }: Deps) {
  return {
    async list(query: JobQuery): Promise<Page<Job>> {
      const page = await store.page(query)
      const rows = page.rows.map((job) => ({
        ...job,
        errorMessage: job.errorMessage && withoutSecrets(job.errorMessage),
      }))
      return { ...page, rows }
    },

    /** Retries a failed job. @throws 404; 409 if it has not failed, or its record has its own retry operation */
    async retry(queue: string, id: string, actor: Actor): Promise<void> {
      await store.transaction(async (transaction) => {
        await jobs.retry(transaction, queue, id)
        await audit.record([{ ...actor, action: 'job.retried', subject: id }], transaction)
      })
      jobs.wake(queue)
    },
  }
}

const MAX_LETTERS = 500

/**
 * Removes credentials from an error message: packages put full addresses with names, passwords and signatures into
 * them.
 */
function withoutSecrets(message: string): string {
  const bare = message.replace(/([a-z][a-z\d+.-]*:\/\/)\S*@/gi, '$1').replace(/(https?:\/\/[^\s?#]*)[?#]\S*/gi, '$1')
  return bare.length > MAX_LETTERS ? `${bare.slice(0, MAX_LETTERS - 1)}…` : bare
}
