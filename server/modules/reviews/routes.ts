import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { Review, ReviewDecision, ReviewFilter, ReviewList } from './schema.ts'
import type { ReviewService } from './service.ts'

const tags = ['Scores']
const security = needs.appKey
const params = z.object({ id: pathId('Review') })

/** Mounted under /api/v1/apps. */
export const reviewRoutes =
  ({ service, guards }: { service: ReviewService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)

    app.get(
      '/reviews',
      {
        schema: {
          tags,
          security,
          operationId: 'listReviews',
          summary: 'List held scores and check-ins',
          description:
            'Lists the scores that broke a rule of their mini game type and the doubtful check-ins, newest first, with the decisions about them. An unknown `miniGameTypeId` returns 404.',
          querystring: PageQuery.extend(ReviewFilter.shape),
          response: { 200: ReviewList, 404: ErrorBody },
        },
      },
      async (request, reply) => ({
        reviews: pageRows(request, reply, await service.page(guards.appOf(request).id, request.query)),
      }),
    )

    app.get(
      '/reviews/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'getReview',
          summary: 'Get a held score or check-in',
          params,
          response: { 200: Review, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.appOf(request).id, request.params.id),
    )

    app.post(
      '/reviews/:id',
      {
        config: { appRole: 'moderator' },
        schema: {
          tags,
          security,
          operationId: 'decideReview',
          summary: 'Accept or reject a held score or check-in',
          description:
            'Accepts or rejects a score or check-in. An accepted score is written once, also if the game session has ended meanwhile. A decision can be changed: rejecting an accepted score sets the score of the session back to what it was before, and returns 409 if another score was written since. Accepting a check-in scores the award that the fence has now; rejecting an accepted one takes its points off the score, and accepting a rejected one returns 409 if the player has checked in there since. Returns 409 if the score, or the score with the award, is now outside the bounds of the type. The same decision again changes nothing.',
          params,
          body: ReviewDecision,
          response: { 200: Review, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id } = guards.appOf(request)
        return service.decide(id, request.params.id, request.body, guards.actorInApp(request))
      },
    )
  }
