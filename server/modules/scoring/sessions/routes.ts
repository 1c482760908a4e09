import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { noteChanges } from '../../../platform/http/responses/audit-writes.ts'
import { COUNTED, ErrorBody, NEWEST_FOUND, pathId, SEARCHED } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { GameSession, GameSessionChange, GameSessionList, NewGameSession, SessionFilter } from '../schema.ts'

const tags = ['Game sessions']
const security = needs.appKey
const params = z.object({ id: pathId('Game session') })

/** A paused session is active, with `paused`. */
const stateOf = ({ status, paused }: GameSession) => (status === 'ACTIVE' && paused ? 'PAUSED' : status)

export const sessionRoutes =
  ({ sessions, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/game-sessions',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'listGameSessions',
          summary: "List the app's game sessions",
          description: `Newest first. \`miniGameTypeId\` or \`miniGameTypeName\` selects a mini game type: an unknown one returns 404, two that disagree return 400. Without either, sessions of all types and of the default game are listed. \`search\` matches any part of the name; \`%\` and \`_\` are literal. ${SEARCHED} ${NEWEST_FOUND} A status or type then filters only the first 10,000 matches. ${COUNTED}`,
          querystring: SessionFilter.extend(PageQuery.shape),
          response: { 200: GameSessionList, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { limit, cursor, ...filter } = request.query
        const page = await sessions.page(guards.appOf(request).id, filter, { limit, cursor })
        return { gameSessions: pageRows(request, reply, page) }
      },
    )

    app.post(
      '/game-sessions',
      {
        schema: {
          tags,
          security,
          operationId: 'createGameSession',
          summary: 'Create a game session',
          description:
            '`miniGameTypeId`, `miniGameTypeName`, or both if they agree, select a mini game type: an unknown one returns 404, two that disagree return 400. Without either, it is a session of the default game.',
          body: NewGameSession.nullish(),
          response: { 201: GameSession, 404: ErrorBody },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await sessions.create(guards.appOf(request).id, request.body ?? NewGameSession.parse({}))),
    )

    app.get(
      '/game-sessions/:id',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getGameSession',
          summary: 'Get a game session',
          params,
          response: { 200: GameSession, 404: ErrorBody },
        },
      },
      async (request) => sessions.get(guards.appOf(request).id, request.params.id),
    )

    app.patch(
      '/game-sessions/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'updateGameSession',
          summary: 'Update a game session',
          description: 'A completed session accepts a new name and description; setting any other status returns 409.',
          params,
          body: GameSessionChange,
          response: { 200: GameSession, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id: appId } = guards.appOf(request)
        const { id } = request.params
        const before = guards.maybeUserOf(request) ? await sessions.get(appId, id) : undefined
        const after = await sessions.update(appId, id, request.body)
        if (before && stateOf(before) !== stateOf(after))
          noteChanges(request, { status: { from: stateOf(before), to: stateOf(after) } })
        return after
      },
    )

    app.delete(
      '/game-sessions/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'deleteGameSession',
          summary: 'Delete a game session and its scores',
          description:
            "Its scores leave every ranking at once: each player's highest score becomes that of the player's other sessions. The session can be in any state.",
          params,
          response: { 204: z.null().describe('Deleted'), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await sessions.remove(guards.appOf(request).id, request.params.id)
        return reply.code(204).send(null)
      },
    )
  }
