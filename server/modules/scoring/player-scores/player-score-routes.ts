import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { PlayerScoreList, ScoreFilter } from '../schema.ts'

export const playerScoreRoutes =
  ({ playerScores, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/players/:playerId/scores',
      {
        config: { clientKey: true },
        schema: {
          tags: ['Scores'],
          security: needs.appKey,
          operationId: 'listPlayerScores',
          summary: "List a player's scores",
          description:
            'Lists one score for each session with a written score, the session joined last first. `miniGameTypeId` selects a mini game type (an unknown one returns 404), or the default game with `miniGameTypeId=default`. The list is empty for a player whose `standing` is not `normal`, unless the caller is a server key or the player itself.',
          params: z.object({ playerId: pathId('Player') }),
          querystring: PageQuery.extend(ScoreFilter.shape),
          response: { 200: PlayerScoreList, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const page = await playerScores.page(
          guards.appOf(request).id,
          request.params.playerId,
          request.query,
          guards.viewerOf(request),
        )
        return { scores: pageRows(request, reply, page) }
      },
    )
  }
