import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../platform/openapi.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import type { ScoringParts } from './routes.ts'
import { boardLimit, GlobalLeaderboard, MiniGameLeaderboard, PlayerRanking, TypeQuery } from './schema.ts'

const tags = ['Leaderboards']
const security = needs.appKey
const description =
  'miniGameTypeId or miniGameTypeName names the board (unknown: 404); without either it is the default game.'

export const leaderboardRoutes =
  ({ rankingStore, rankings, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/leaderboards',
      {
        schema: {
          tags,
          security,
          summary: 'All leaderboards: the default game, then types by name',
          querystring: z.object({ limit: boardLimit }),
          response: { 200: GlobalLeaderboard },
        },
      },
      async (request) => ({
        leaderboards: await rankingStore.allBoards(guards.appOf(request).id, request.query.limit),
      }),
    )

    app.get(
      '/leaderboards/mini-game',
      {
        schema: {
          tags,
          security,
          summary: 'The leaderboard of one mini game type',
          description,
          querystring: TypeQuery.extend({ limit: boardLimit }),
          response: { 200: MiniGameLeaderboard, 404: ErrorBody },
        },
      },
      async (request) => {
        const { limit, ...choice } = request.query
        return rankings.board(guards.appOf(request).id, choice, limit)
      },
    )

    app.get(
      '/players/:playerId/global-ranking',
      {
        schema: {
          tags,
          security,
          summary: "A player's rank on one board",
          description: `${description} Players with equal scores share a rank (1-2-2-4).`,
          params: z.object({ playerId: pathId('Player') }),
          querystring: TypeQuery,
          response: { 200: PlayerRanking, 404: ErrorBody },
        },
      },
      async (request) => rankings.ofPlayer(guards.appOf(request).id, request.params.playerId, request.query),
    )
  }
