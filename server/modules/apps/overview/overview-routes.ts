import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { OverviewService } from './overview.ts'
import { AppOverview } from './overview-schema.ts'

const tags = ['Apps']
const security = needs.user
const params = z.object({ id: pathId('App') })

/** Mounted under /api/v1/apps. */
export const overviewRoutes =
  ({ service, guards }: { service: OverviewService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.get(
      '/:id/overview',
      {
        schema: {
          tags,
          security,
          operationId: 'getAppOverview',
          summary: 'Get the overview of an app',
          description:
            "Counts players, sessions and types, and has the top score and the app's quotas. Available to the app's members, ops and admins. Other callers get 404, or 403 if the app is PUBLIC.",
          params,
          response: { 200: AppOverview, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.ofApp(request.params.id, guards.appUserOf(request)),
    )
  }
