import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditRoutes } from '../modules/audit/routes.ts'
import { auditStore } from '../modules/audit/store.ts'
import { type Erasure, userErasure } from '../modules/users/erasure.ts'
import { userExport } from '../modules/users/export.ts'
import { memberStore } from '../modules/users/members.ts'
import { ownQuotas } from '../modules/users/own-quotas.ts'
import { userRoutes } from '../modules/users/routes.ts'
import { userService } from '../modules/users/service.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import type { Actor } from '../platform/database/audit.ts'
import type { Platform } from '../platform/parts.ts'

type Needs = {
  /** Removes the objects that nothing points to any more. */
  removeUnused: (atMostMs?: number) => Promise<void>
}

const CLEAN_MS = 60 * 60_000

/** What users see and change of themselves, and what those who run the service see and change of them. */
export function usersArea(
  { config, database, objects, ownFiles, quotas, audit, log }: Platform,
  { removeUnused }: Needs,
) {
  const adminEmails = config.CAIRN_ADMIN_EMAILS
  const erase = userErasure({ db: database.kysely, audit })
  const users = userService({
    store: memberStore(database.kysely, { audit, adminEmails }),
    adminEmails,
    audit,
    erase,
    exportOf: userExport({ pool: database.pool, objects, ownFiles }),
    removeUnused,
  })
  const quotasOf = ownQuotas(database.kysely, quotas)
  const auditInSql = auditStore(database.kysely)

  return {
    /** What the command line does with users. */
    operator: {
      list: users.list,
      erase: async (id: string, actor: Actor): Promise<Erasure> => {
        const outcome = await erase(id, actor)
        // Where no service runs, no chore would do the rest.
        if (outcome.erased) await removeUnused(Number.POSITIVE_INFINITY)
        return outcome
      },
    },
    /** Mounted under /api/v1. */
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(userRoutes({ service: users, quotasOf, guards }))
        await app.register(auditRoutes({ store: auditInSql, guards }))
        doRegularly(app, {
          everyMs: CLEAN_MS,
          work: auditInSql.removeOld,
          onError: (error) => log.error({ err: error }, 'old audit entries were not removed'),
        })
      },
  }
}
