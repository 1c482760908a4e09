import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { AppUsage, UsageQuery } from './schema.ts'
import type { UsageService } from './service.ts'

/** Mounted under /api/v1/apps. */
export const usageRoutes =
  ({ service, guards }: { service: UsageService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/:id/usage',
      {
        onRequest: guards.user,
        schema: {
          tags: ['Apps'],
          operationId: 'getAppUsage',
          summary: 'Get the usage of an app',
          description:
            "Counts the requests made with the app's keys, and those that were refused. Available to the app's members, ops and admins. Other callers get 404, or 403 if the app is PUBLIC. Each process counts in memory and writes to the database every ten seconds, when it receives this request, and when it shuts down. The last ten seconds of other processes may be missing, and are lost if a process is killed. Counts are kept for the 90 days before today.",
          security: needs.user,
          params: z.object({ id: pathId('App') }),
          querystring: UsageQuery,
          response: { 200: AppUsage, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return service.ofApp(request.params.id, guards.appUserOf(request), request.query.days)
      },
    )
  }
