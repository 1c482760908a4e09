import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { noteChanges } from '../../../platform/http/responses/audit-writes.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { GameSessionPlayer, GameSessionPlayerList, Registration, ScoreBatch, ScoreChange } from '../schema.ts'

const tags = ['Scores']
const security = needs.appKey
const params = z.object({ id: pathId('Game session') })
const playerParams = params.extend({ playerId: pathId('Game session player').describe('Player ID') })

/** A thousand scores with metadata, in any layout of their JSON. */
const BATCH_BYTES = 1536 * 1024

export const sessionPlayerRoutes =
  ({ sessionPlayers, scores, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/game-sessions/:id/players',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'listSessionPlayers',
          summary: 'List the players of a game session',
          description: 'In the order they joined.',
          params,
          querystring: PageQuery,
          response: { 200: GameSessionPlayerList, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const page = await sessionPlayers.page(
          guards.appOf(request).id,
          request.params.id,
          request.query,
          guards.viewerOf(request),
        )
        return { players: pageRows(request, reply, page) }
      },
    )

    app.post(
      '/game-sessions/:id/players',
      {
        schema: {
          tags,
          security,
          operationId: 'registerPlayer',
          summary: 'Register a player in a game session',
          description:
            'The player starts with score 0, which is not ranked until a score is written. A second registration returns 200 with the same row. A completed session accepts no more players (409), unless it was created as completed less than 24 h ago. A banned player is refused (403).',
          params,
          body: Registration,
          response: { 200: GameSessionPlayer, 201: GameSessionPlayer, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
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
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getSessionPlayer',
          summary: 'Get a player of a game session',
          description:
            "Includes the player's score, which is 0 for a player whose `standing` is not `normal`, unless the caller is a server key or the player itself.",
          params: playerParams,
          response: { 200: GameSessionPlayer, 404: ErrorBody },
        },
      },
      async (request) => {
        const { id, playerId } = request.params
        return sessionPlayers.get(guards.appOf(request).id, id, playerId, guards.viewerOf(request))
      },
    )

    app.delete(
      '/game-sessions/:id/players/:playerId',
      {
        schema: {
          tags,
          security,
          operationId: 'removeSessionPlayer',
          summary: 'Remove a player from a game session',
          description:
            "Also deletes the player's score. It leaves every ranking at once: the player's highest score becomes that of the player's other sessions. The session can be in any state, so a wrong score can be removed from a finished game.",
          params: playerParams,
          response: { 204: z.null().describe('Removed'), 404: ErrorBody },
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
        config: { clientKey: { ofPlayer: 'playerId' } },
        schema: {
          tags,
          security,
          operationId: 'setScore',
          summary: "Set a player's score",
          description:
            'Every ranking requested after the response includes it. A score outside the bounds of the type returns 400 (`score_out_of_bounds`). Returns 409 if the session is paused or completed; a session created as completed accepts scores for 24 h. A score that breaks a rule of the type, or that a score hook holds, is held: the response has `state: "held"` and the unchanged score. Returns 409, too, if the app or the player has too many held scores. One that a score hook refuses returns 400 (`score_refused`), and one that it changes is written as changed. A player token sets a score only in a mini game type with `submittedBy: player` (else 403). The score of a banned player is refused (403).',
          params: playerParams,
          body: ScoreChange,
          response: { 200: GameSessionPlayer, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id, playerId } = request.params
        const isPlayer = guards.maybePlayerOf(request) !== undefined
        if (isPlayer) await scores.checkSubmitter(guards.appOf(request).id, id)
        const { id: appId } = guards.appOf(request)
        // What a person writes is audited with the score before; games ask for nothing here.
        const before = guards.maybeUserOf(request)
          ? await sessionPlayers.get(appId, id, playerId, guards.viewerOf(request)).catch(() => undefined)
          : undefined
        const after = await scores.set(appId, id, { playerId, ...request.body }, isPlayer ? 'player' : 'server')
        if (before && before.score !== after.score)
          noteChanges(request, { score: { from: before.score, to: after.score } })
        return after
      },
    )

    app.post(
      '/game-sessions/:id/players/:playerId/correction',
      {
        schema: {
          tags,
          security,
          operationId: 'correctScore',
          summary: "Correct a player's score",
          description:
            'Replaces the score in a session of any state, also one that is paused or completed, and writes `score.corrected` to the audit log with the score before and after. Rules of the type do not apply; a score outside its bounds returns 400. The board of a season that has ended changes when it is recounted. Not for player tokens.',
          params: playerParams,
          body: ScoreChange,
          response: { 200: GameSessionPlayer, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => {
        const { id: sessionId, playerId } = request.params
        const { id: appId } = guards.appOf(request)
        await scores.correct({ appId, sessionId, playerId, ...request.body, ...guards.actorInApp(request) })
        return sessionPlayers.get(appId, sessionId, playerId, guards.viewerOf(request))
      },
    )

    app.post(
      '/game-sessions/:id/scores',
      {
        bodyLimit: BATCH_BYTES,
        schema: {
          tags,
          security,
          operationId: 'setScores',
          summary: 'Set the scores of several players',
          description:
            'Writes all scores or none: if an item is invalid, nothing is written, and 400 names each such item (`score_out_of_bounds`, `score_refused`, `not_registered`, `duplicate_player`). If a player is banned, 403 names it. Returns the players in the order of the request. A score that breaks a rule of the type, or that a score hook holds, is held, and the others are written. Returns 409 in the same cases as a single score.',
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
