import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { auditedWrites } from './audited-writes.ts'
import { auditRoutes } from './routes.ts'
import { auditStore } from './store.ts'

const CLEAN_MS = 60 * 60_000

/** The audit log for ops and admins. */
export function createAudit({ database, log }: Platform) {
  const store = auditStore(database.kysely)

  return {
    /** The action of the audit entry for each operation that a person may write with. */
    writes: auditedWrites,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(auditRoutes({ store, guards }), { prefix: '/api/v1' })
        scheduleEvery(app, {
          everyMs: CLEAN_MS,
          work: store.removeOld,
          onError: (error) => log.error({ err: error }, 'failed to purge old audit entries'),
        })
      },
  }
}
