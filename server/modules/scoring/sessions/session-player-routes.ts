import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { GameSessionPlayer, GameSessionPlayerList, Registration, ScoreBatch, ScoreChange } from '../schema.ts'

const tags = ['Scores']
const security = needs.appKey
const params = z.object({ id: pathId('Game session') })
const playerParams = params.extend({ playerId: pathId('Game session player') })

/** A thousand scores, in any layout of their JSON. */
const BATCH_BYTES = 256 * 1024

export const sessionPlayerRoutes =
  ({ sessionPlayers, scores, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/game-sessions/:id/players',
      {
        schema: {
          tags,
          security,
          summary: 'The players of a game session, in the order they joined',
          params,
          querystring: PageQuery,
          response: { 200: GameSessionPlayerList, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const page = await sessionPlayers.page(guards.appOf(request).id, request.params.id, request.query)
        return { players: pageRows(request, reply, page) }
      },
    )

    app.post(
      '/game-sessions/:id/players',
      {
        schema: {
          tags,
          security,
          summary: 'Register a player in a game session',
          description:
            'The player starts with score 0, which does not rank until a score is written. A second time answers 200 with the same row. A completed session takes no more players: 409, unless it was created completed less than 24 h ago.',
          params,
          body: Registration,
          response: { 200: GameSessionPlayer, 201: GameSessionPlayer, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { player, again } = await sessionPlayers.register(
          guards.appOf(request).id,
          request.params.id,
          request.body.playerId,
        )
        return reply.code(again ? 200 : 201).send(player)
      },
    )

    app.get(
      '/game-sessions/:id/players/:playerId',
      {
        schema: {
          tags,
          security,
          summary: 'One player of a game session, with its score',
          params: playerParams,
          response: { 200: GameSessionPlayer, 404: ErrorBody },
        },
      },
      async (request) => sessionPlayers.get(guards.appOf(request).id, request.params.id, request.params.playerId),
    )

    app.delete(
      '/game-sessions/:id/players/:playerId',
      {
        schema: {
          tags,
          security,
          summary: 'Take a player out of a game session, with its score',
          description:
            "The score leaves every ranking at once: the player's highest score falls to that of its other sessions. In whatever state the session is, so that a wrong score can be taken out of a finished game.",
          params: playerParams,
          response: { 204: z.null().describe('Taken out'), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await sessionPlayers.remove(guards.appOf(request).id, request.params.id, request.params.playerId)
        return reply.code(204).send(null)
      },
    )

    app.patch(
      '/game-sessions/:id/players/:playerId',
      {
        schema: {
          tags,
          security,
          summary: "Set a player's score",
          description:
            'Every ranking asked for after the answer counts it. A score outside the bounds of the type answers 400 (`score_out_of_bounds`). Scores are taken while the session is active, neither paused nor completed, else 409; in one that was created completed for 24 h.',
          params: playerParams,
          body: ScoreChange,
          response: { 200: GameSessionPlayer, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id, playerId } = request.params
        return scores.set(guards.appOf(request).id, id, { playerId, score: request.body.score })
      },
    )

    app.post(
      '/game-sessions/:id/scores',
      {
        bodyLimit: BATCH_BYTES,
        schema: {
          tags,
          security,
          summary: 'Set the scores of several players, all or nothing',
          description:
            'Answers in the order of the request. When an item cannot be written, none is, and 400 names each (`score_out_of_bounds`, `not_registered`, `duplicate_player`). 409 as for a single score.',
          params,
          body: ScoreBatch,
          response: { 200: GameSessionPlayerList, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => ({
        players: await scores.setAll(guards.appOf(request).id, request.params.id, request.body.scores),
      }),
    )
  }
