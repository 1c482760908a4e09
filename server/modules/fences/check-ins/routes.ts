import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import { CheckIn, CheckInAnswer, CheckInFilter, CheckInList, CheckInReview, NewCheckIn } from './schema.ts'
import type { CheckInService } from './service.ts'

const tags = ['Fences']
const security = needs.appKey
const params = z.object({ id: pathId('Check-in') })

/** Mounted under /api/v1/apps. */
export const checkInRoutes =
  ({ service, guards }: { service: CheckInService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)

    app.post(
      '/check-ins',
      {
        config: { clientKey: 'player', keyOnly: true },
        schema: {
          tags,
          security: [{ appKey: [] }],
          operationId: 'checkIn',
          summary: 'Check the player in at a fence',
          description:
            'The service judges the position by the rule of the fence: its age, its accuracy, whether it is inside as far as the accuracy can tell, opening hours, the speed since the last plausible position, and how often the player can check in. A check-in that fails one of these is refused with a reason; a doubtful one is held for a review. An accepted check-in and its award are written in one transaction. Sending the same position again returns the same response. Returns 409 if the award cannot be scored; nothing is written then.',
          body: NewCheckIn,
          response: { 200: CheckInAnswer, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const playerId = guards.maybePlayerOf(request)!.id
        return service.checkIn({ appId: guards.appOf(request).id, playerId }, request.body)
      },
    )

    app.get(
      '/check-ins',
      {
        schema: {
          tags,
          security,
          operationId: 'listCheckIns',
          summary: 'List check-ins',
          description:
            'Newest first: those accepted, held and rejected. Refused ones are not stored. `X-Total-Count` counts up to 10,000.',
          querystring: PageQuery.extend(CheckInFilter.shape),
          response: { 200: CheckInList },
        },
      },
      async (request, reply) => ({
        checkIns: pageRows(request, reply, await service.page(guards.appOf(request).id, request.query)),
      }),
    )

    app.get(
      '/check-ins/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'getCheckIn',
          summary: 'Get a check-in',
          params,
          response: { 200: CheckIn, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.appOf(request).id, request.params.id),
    )

    app.post(
      '/check-ins/:id/review',
      {
        config: { appRole: 'moderator' },
        schema: {
          tags,
          security,
          operationId: 'reviewCheckIn',
          summary: 'Accept or reject a held check-in',
          description:
            'Accepting scores the award that the fence has now, in the same transaction. Returns 409 if the check-in is not held, or its award cannot be scored.',
          params,
          body: CheckInReview,
          response: { 200: CheckIn, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id } = guards.appOf(request)
        return service.review(id, request.params.id, request.body, guards.actorInApp(request))
      },
    )
  }
