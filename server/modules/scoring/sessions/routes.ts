import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { COUNTED, ErrorBody, pathId, SEARCHED } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { GameSession, GameSessionChange, GameSessionList, NewGameSession, SessionFilter } from '../schema.ts'

const tags = ['Game sessions']
const security = needs.appKey
const params = z.object({ id: pathId('Game session') })

export const sessionRoutes =
  ({ sessions, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/game-sessions',
      {
        schema: {
          tags,
          security,
          summary: "The app's game sessions, newest first",
          description: `Of one mini game type if miniGameTypeId or miniGameTypeName names it: an unknown one answers 404, two that disagree 400. Without either: of all, the default game included. With search those whose name has it in it; \`%\` and \`_\` are themselves. ${SEARCHED} A status or type beside it is looked for among the first 10,000 that are called so. ${COUNTED}`,
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
          summary: 'Create a game session',
          description:
            'A mini game type is named by miniGameTypeId, by miniGameTypeName, or by both if they agree; an unknown one answers 404, two that disagree 400. Without one it is a session of the default game.',
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
        schema: { tags, security, summary: 'One game session', params, response: { 200: GameSession, 404: ErrorBody } },
      },
      async (request) => sessions.get(guards.appOf(request).id, request.params.id),
    )

    app.patch(
      '/game-sessions/:id',
      {
        schema: {
          tags,
          security,
          summary: 'Change a game session',
          description: 'A completed session can still be named and described; any other status answers 409.',
          params,
          body: GameSessionChange,
          response: { 200: GameSession, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => sessions.change(guards.appOf(request).id, request.params.id, request.body),
    )

    app.delete(
      '/game-sessions/:id',
      {
        schema: {
          tags,
          security,
          summary: 'Delete a game session with its scores',
          description:
            "Its scores leave every ranking at once: a player's highest score falls to that of the other sessions. In whatever state the session is.",
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
