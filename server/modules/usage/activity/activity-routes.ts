import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ActivityService } from './activity.ts'
import { AppActivity } from './activity-schema.ts'

/** Mounted under /api/v1/apps. */
export const activityRoutes =
  ({ service, guards }: { service: ActivityService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/:id/activity',
      {
        onRequest: guards.user,
        schema: {
          tags: ['Apps'],
          operationId: 'getAppActivity',
          summary: 'Get the activity of an app',
          description:
            "Counts the players of today, compared with the same day of last week; running sessions, busy leaderboards, pending reviews, failing webhooks, and visited fences. Available to the app's members, ops and admins. Other callers get 404, or 403 if the app is PUBLIC. Each process counts the scores that it writes in memory and adds them every ten seconds, when it receives this request, and when it shuts down. The last ten seconds of other processes may be missing, and are lost if a process is killed. Imported scores do not count.",
          security: needs.user,
          params: z.object({ id: pathId('App') }),
          response: { 200: AppActivity, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return service.ofApp(request.params.id, guards.appUserOf(request))
      },
    )
  }
