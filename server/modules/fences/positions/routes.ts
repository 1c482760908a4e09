import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import { NewPositions, PositionsAnswer } from './schema.ts'
import type { PositionService } from './service.ts'

/** Mounted under /api/v1/apps. */
export const positionRoutes =
  ({ service, guards }: { service: PositionService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)

    app.post(
      '/positions',
      {
        config: { clientKey: 'player', keyOnly: true },
        schema: {
          tags: ['Fences'],
          security: [{ appKey: [] }],
          operationId: 'reportPositions',
          summary: "Report the player's positions",
          description:
            'Returns which fences the player has entered, left or dwelled in; webhooks get the same as `fence.entered`, `fence.exited` and `fence.dwelled`. A player enters with a position inside, and leaves with one that is farther outside than its own accuracy. Positions may arrive late and out of order within 5 minutes: a late one reports a stay that no other has shown, and does not end one. Only the newest position is kept, for `retainSeconds`. Sending the same positions again changes nothing.',
          body: NewPositions,
          response: { 200: PositionsAnswer, 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const playerId = guards.maybePlayerOf(request)!.id
        return service.report({ appId: guards.appOf(request).id, playerId }, request.body.fixes)
      },
    )
  }
