import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { Jobs } from '../../platform/database/jobs/jobs.ts'
import type { Page } from '../../platform/http/pages.ts'
import type { JobStore } from './job-store.ts'
import type { Job, JobQuery } from './schema.ts'

type Deps = { store: JobStore; jobs: Pick<Jobs, 'retry' | 'wake'>; audit: AuditLog }

export type JobService = ReturnType<typeof jobService>

/** The jobs of the box: seen, and those that failed done again. */
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

    /** @throws 404, 409 for a job that did not fail, or whose record has a retry of its own */
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

/** Errors of packages name addresses as they were asked: without names, passwords and signatures. */
function withoutSecrets(message: string): string {
  const bare = message.replace(/([a-z][a-z\d+.-]*:\/\/)\S*@/gi, '$1').replace(/(https?:\/\/[^\s?#]*)[?#]\S*/gi, '$1')
  return bare.length > MAX_LETTERS ? `${bare.slice(0, MAX_LETTERS - 1)}…` : bare
}
