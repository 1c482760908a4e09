import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { assertHasOps } from '../../platform/credentials/service-roles.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { pageRows } from '../../platform/http/pages.ts'
import { COUNTED, ErrorBody } from '../../platform/schema.ts'
import { AuditEntries, AuditQuery } from './schema.ts'
import type { AuditStore } from './store.ts'

/** Mounted under /api/v1. */
export const auditRoutes =
  ({ store, guards }: { store: AuditStore; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/audit-log',
      {
        onRequest: [guards.user, async (request: object) => assertHasOps(guards.userOf(request))],
        schema: {
          tags: ['Audit log'],
          security: needs.user,
          operationId: 'listAuditEntries',
          summary: 'List audit log entries',
          description: `Newest first: who did what, when and from where. Requires ops or admin. \`subject\`, \`actor\` and \`action\` match exactly; \`since\` and \`until\` are date-times. Entries are kept for 400 days. ${COUNTED}`,
          querystring: AuditQuery,
          response: { 200: AuditEntries, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return { entries: pageRows(request, reply, await store.page(request.query)) }
      },
    )
  }
