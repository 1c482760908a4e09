import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../../../platform/credentials/guards.ts'
import { invalid } from '../../../../platform/errors.ts'
import { needs } from '../../../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../../../platform/schema.ts'
import { BAD_SPAN, CheckInCountQuery, CheckInCounts, spanOf } from './count-schema.ts'
import type { CheckInCountService } from './count-service.ts'

/** Mounted under /api/v1/apps. */
export const checkInCountRoutes =
  ({ service, guards }: { service: CheckInCountService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/check-ins/counts',
      {
        onRequest: guards.app,
        schema: {
          tags: ['Fences'],
          security: needs.appKey,
          operationId: 'countCheckIns',
          summary: 'Count check-ins by fence',
          description:
            'Exact counts of the accepted check-ins of at most 366 days, by the time they were sent: the total, and the fences with the most. Each fence is a pin or a zone. Check-ins that `retainCheckInDays` has deleted do not count.',
          querystring: CheckInCountQuery,
          response: { 200: CheckInCounts, 503: ErrorBody },
        },
      },
      async (request) => {
        const span = spanOf(request.query, Date.now())
        if (!span) throw invalid([{ code: 'custom', message: BAD_SPAN, path: ['from'] }])
        return service.ofApp(guards.appOf(request).id, span, request.query.limit)
      },
    )
  }
