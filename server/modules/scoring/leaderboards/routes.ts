import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { TypeQuery } from '../schema.ts'
import {
  BoardPageQuery,
  BoardQuery,
  boardLimit,
  GlobalLeaderboard,
  MiniGameLeaderboard,
  PlayerRanking,
} from './schema.ts'
import type { BoardPage } from './service.ts'

const tags = ['Leaderboards']
const security = needs.appKey
const description =
  'miniGameTypeId or miniGameTypeName names the board (unknown: 404; two that disagree: 400); without either it is the default game.'

export const leaderboardRoutes =
  ({ leaderboards, rankings, guards }: ScoringParts): FastifyPluginAsyncZod =>
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
        leaderboards: await leaderboards.all(guards.appOf(request).id, request.query.limit),
      }),
    )

    app.get(
      '/leaderboards/mini-game',
      {
        schema: {
          tags,
          security,
          summary: 'The leaderboard of one mini game type',
          description: `${description} From the top, after a cursor, or around a player; x-total-count says how many are ranked. cursor and aroundPlayerId together, or an unknown player, answer 400; a player without a ranking 404.`,
          querystring: BoardQuery,
          response: { 200: MiniGameLeaderboard, 404: ErrorBody },
        },
      },
      async (request, reply) =>
        shown(request, reply, await leaderboards.ofType(guards.appOf(request).id, request.query)) as never,
    )

    app.get(
      '/game-sessions/:id/leaderboard',
      {
        schema: {
          tags,
          security,
          summary: 'The leaderboard of one game session',
          description:
            'Written scores alone, ranked among each other by the sort order of the type; x-total-count says how many there are. The type is named even if it is hidden.',
          params: z.object({ id: pathId('Game session') }),
          querystring: BoardPageQuery,
          response: { 200: MiniGameLeaderboard, 404: ErrorBody },
        },
      },
      async (request, reply) =>
        shown(
          request,
          reply,
          await leaderboards.ofSession(guards.appOf(request).id, request.params.id, request.query),
        ) as never,
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

/** Written here, for its entries are texts. */
function shown(request: FastifyRequest, reply: FastifyReply, board: BoardPage): FastifyReply {
  const { miniGameTypeId, miniGameTypeName, entries, next, total } = board
  pageRows(request, reply, { rows: [], next, total })
  const name = JSON.stringify({ miniGameTypeId, miniGameTypeName })
  return reply.type('application/json; charset=utf-8').send(`${name.slice(0, -1)},"leaderboard":[${entries}]}`)
}
