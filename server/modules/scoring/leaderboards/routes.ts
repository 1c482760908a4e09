import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { countRows } from '../../../platform/http/limits/limits.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { refuseParameters } from '../../../platform/http/requests/refuse-parameters.ts'
import { keepCompressed } from '../../../platform/http/responses/compression.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import { OF_ALL_TIME } from '../periods/schema.ts'
import type { ScoringParts } from '../routes.ts'
import {
  BoardChoice,
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
  '`miniGameTypeId` or `miniGameTypeName` selects the board: an unknown type returns 404, two that disagree return 400. Without either, it is the default game.'
const hidden =
  'A player whose `standing` is not `normal` is left out; a hidden one is shown where it would stand if its own player token is sent.'
const periods =
  'With `window` or `season`, only scores written in that period count: of each game session the score that was last written in it. The first request for a window starts keeping its leaderboard.'
const segments = 'With `segment`, only players with that attribute are ranked.'
const unmade =
  'Until the leaderboard of a window, season or segment is made, it is read from the scores, which takes longer: 503 if many such requests wait, one takes too long, or the season ends meanwhile.'
const past =
  'With `at`, shows how it stood at that time: 400 before the history of the leaderboard begins (`historyDays`), 503 if many such requests wait or one takes more than 10 s. Counts as one request for each 1,000 players of the leaderboard.'

export const leaderboardRoutes =
  ({ leaderboards, rankings, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/leaderboards',
      {
        config: { clientKey: true },
        preValidation: refuseParameters(OF_ALL_TIME),
        schema: {
          tags,
          security,
          operationId: 'listLeaderboards',
          summary: 'List all leaderboards',
          description:
            'The default game first, then mini game types by name. All count all scores: `window`, `season`, `segment` and `at` return 400.',
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
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getLeaderboard',
          summary: 'Get the leaderboard of a mini game type',
          description: `${description} Shows the top, the entries after a cursor or around a player, or only the given players. ${hidden} ${periods} ${segments} ${unmade} ${past} \`X-Total-Count\` has the number of ranked players. At most one of \`cursor\`, \`aroundPlayerId\` and \`playerIds\` may be sent. An unknown player in \`aroundPlayerId\` returns 400; a player without a ranking returns 404.`,
          querystring: BoardQuery,
          response: { 200: MiniGameLeaderboard, 404: ErrorBody },
        },
      },
      async (request, reply) =>
        shown(
          request,
          reply,
          await leaderboards.ofType(guards.appOf(request).id, request.query, guards.viewerOf(request)),
        ) as never,
    )

    app.get(
      '/game-sessions/:id/leaderboard',
      {
        config: { clientKey: true },
        preValidation: refuseParameters(OF_ALL_TIME),
        schema: {
          tags,
          security,
          operationId: 'getSessionLeaderboard',
          summary: 'Get the leaderboard of a game session',
          description:
            'Only written scores, ranked within the session by the sort order of the type. `X-Total-Count` has their number. The type is named even if it is hidden. `window`, `season`, `segment` and `at` return 400.',
          params: z.object({ id: pathId('Game session') }),
          querystring: BoardPageQuery,
          response: { 200: MiniGameLeaderboard, 404: ErrorBody },
        },
      },
      async (request, reply) =>
        shown(
          request,
          reply,
          await leaderboards.ofSession(
            guards.appOf(request).id,
            request.params.id,
            request.query,
            guards.viewerOf(request),
          ),
        ) as never,
    )

    app.get(
      '/players/:playerId/global-ranking',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getPlayerRanking',
          summary: "Get a player's rank on a leaderboard",
          description: `${description} ${hidden} ${periods} ${segments} ${unmade} ${past} Players with equal scores share a rank (1-2-2-4).`,
          params: z.object({ playerId: pathId('Player') }),
          querystring: BoardChoice,
          response: { 200: PlayerRanking, 404: ErrorBody },
        },
      },
      async (request) => {
        const { id } = guards.appOf(request)
        const computed = (players: number) => countRows(request, players)
        return rankings.ofPlayer(id, request.params.playerId, request.query, guards.viewerOf(request), computed)
      },
    )
  }

/** Written here, for its entries are texts. */
function shown(request: FastifyRequest, reply: FastifyReply, board: BoardPage): FastifyReply {
  const { miniGameTypeId, miniGameTypeName, entries, next, total, period, segment, at } = board
  pageRows(request, reply, { rows: [], next, total })
  if (at) countRows(request, total) // it was computed as a whole
  const name = JSON.stringify({ miniGameTypeId, miniGameTypeName })
  const end = JSON.stringify({ period, segment, at }).replace('{}', '}').replace(/^\{/, ',')
  const [before, after] = [`${name.slice(0, -1)},"leaderboard":[`, `]${end}`]
  const body = typeof entries === 'string' ? before + entries + after : keptBody(before, entries, after)
  return reply.type('application/json; charset=utf-8').send(body)
}

type KeptBody = { before: string; after: string; body: Buffer }
/** By the entries, which are the same buffer until they change. */
const keptBodies = new WeakMap<Buffer, KeptBody>()

function keptBody(before: string, entries: Buffer, after: string): Buffer {
  const kept = keptBodies.get(entries)
  if (kept?.before === before && kept.after === after) return kept.body
  const body = keepCompressed(Buffer.concat([Buffer.from(before), entries, Buffer.from(after)]))
  keptBodies.set(entries, { before, after, body })
  return body
}
