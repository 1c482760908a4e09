import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToFullSessions } from '../../platform/credentials/full-session.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../platform/schema.ts'
import { CreatedPersonalToken, MAX_TOKENS, NewPersonalToken, PersonalTokenList } from './schema.ts'
import type { PersonalTokenService } from './service.ts'

const tags = ['Users']
const security = needs.user

/** Mounted under /api/v1. */
export const personalTokenRoutes =
  ({ service, guards }: { service: PersonalTokenService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    const actor = restrictToFullSessions(app, guards)

    app.get(
      '/user/tokens',
      {
        schema: {
          tags,
          security,
          operationId: 'listPersonalTokens',
          summary: 'List the personal tokens of the signed-in user',
          description: `Those that have not expired, oldest first, without the tokens themselves. ${FULL_SESSION_ONLY}`,
          response: { 200: PersonalTokenList, 403: ErrorBody },
        },
      },
      async (request) => ({ tokens: await service.list(guards.userOf(request).id) }),
    )

    app.post(
      '/user/tokens',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'createPersonalToken',
          summary: 'Create a personal token',
          description: `With it a program that cannot sign in, such as QGIS, acts for the user: on \`/ogc\`, and in operations that list \`personalToken\`. It never has the roles of the user. Only this response contains the token. It ends at \`expiresAt\`, when it is deleted, or with the user. Returns 409 if the user has ${MAX_TOKENS}. ${FULL_SESSION_ONLY}`,
          body: NewPersonalToken,
          response: { 201: CreatedPersonalToken, 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await service.create(guards.userOf(request).id, request.body, actor(request))),
    )

    app.delete(
      '/user/tokens/:id',
      {
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'deletePersonalToken',
          summary: 'Delete a personal token',
          description: `It stops working everywhere within a second. ${FULL_SESSION_ONLY}`,
          params: z.object({ id: pathId('Personal token') }),
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(request.params.id, guards.userOf(request).id, actor(request))
        return reply.code(204).send(null)
      },
    )
  }
