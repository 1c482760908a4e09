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
          summary: "What came with an app's keys, and what of it was refused",
          description:
            "For the app's owner, ops and admins; else 404, and 403 of a PUBLIC app. Each process counts in memory and adds to the database every ten seconds, when it is asked here, and when it ends in order: of other processes the last ten seconds may be missing, and one that is killed loses as much. Counts are kept for 90 days before today.",
          security: needs.user,
          params: z.object({ id: pathId('App') }),
          querystring: UsageQuery,
          response: { 200: AppUsage, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return service.ofApp(request.params.id, guards.userOf(request), request.query.days)
      },
    )
  }
