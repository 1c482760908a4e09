import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { ScoreFilter } from '../schema.ts'
import { PastScoreList } from './schema.ts'

export const scoreHistoryRoutes =
  ({ scoreHistory, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/players/:playerId/score-history',
      {
        config: { clientKey: true },
        schema: {
          tags: ['Scores'],
          security: needs.appKey,
          operationId: 'listScoreHistory',
          summary: 'List every score written for a player',
          description:
            'Lists current scores and those that were replaced or removed in the `historyDays` of their mini game type, the score written last first. `X-Total-Count` counts up to 10,000. `miniGameTypeId` selects a mini game type (an unknown one returns 404), or the default game with `miniGameTypeId=default`.',
          params: z.object({ playerId: pathId('Player') }),
          querystring: PageQuery.extend(ScoreFilter.shape),
          response: { 200: PastScoreList, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = guards.appOf(request)
        const page = await scoreHistory.page(id, request.params.playerId, request.query, guards.viewerOf(request))
        return { scoreHistory: pageRows(request, reply, page) }
      },
    )
  }
