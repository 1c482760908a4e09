import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { Review, ReviewDecision, ReviewFilter, ReviewList } from './schema.ts'

const tags = ['Scores']
const security = needs.appKey
const params = z.object({ id: pathId('Review') })

export const reviewRoutes =
  ({ reviews, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/reviews',
      {
        schema: {
          tags,
          security,
          operationId: 'listReviews',
          summary: 'List held scores',
          description:
            'Lists the scores that broke a rule of their mini game type, the newest first, with what was decided. An unknown `miniGameTypeId` returns 404.',
          querystring: PageQuery.extend(ReviewFilter.shape),
          response: { 200: ReviewList, 404: ErrorBody },
        },
      },
      async (request, reply) => ({
        reviews: pageRows(request, reply, await reviews.page(guards.appOf(request).id, request.query)),
      }),
    )

    app.get(
      '/reviews/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'getReview',
          summary: 'Get a held score',
          params,
          response: { 200: Review, 404: ErrorBody },
        },
      },
      async (request) => reviews.get(guards.appOf(request).id, request.params.id),
    )

    app.post(
      '/reviews/:id',
      {
        config: { appRole: 'moderator' },
        schema: {
          tags,
          security,
          operationId: 'decideReview',
          summary: 'Set the decision about a held score',
          description:
            'Accepts or rejects the score. An accepted score is written once, also if the game session has ended meanwhile. A decision can be changed: rejecting an accepted score sets the score of the session back to what it was before, and returns 409 if another score was written since. Returns 409 if the score is outside the bounds of the type by now. The same decision again changes nothing.',
          params,
          body: ReviewDecision,
          response: { 200: Review, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id } = guards.appOf(request)
        return reviews.decide(id, request.params.id, request.body, guards.actorInApp(request))
      },
    )
  }
