import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { bearerOf } from '../../platform/credentials/bearer.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { unauthorized } from '../../platform/errors.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { NewPlayerToken, PlayerToken } from './schema.ts'
import type { PlayerTokenService } from './service.ts'

const hasKey = (request: FastifyRequest) => request.headers['x-app-api-key'] !== undefined

/** Mounted at the root. */
export const playerTokenRoutes =
  ({ service, guards }: { service: PlayerTokenService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/auth/player-token',
      {
        config: { clientKey: 'besideSession', needsDiskSpace: false, holdsSecret: true },
        onRequest: [
          guards.counted(async (request) => {
            if (!hasKey(request) && !bearerOf(request))
              throw unauthorized(
                'Send a server key in x-app-api-key, or the session token of the player’s user in the header Authorization: Bearer <token>',
              )
          }),
          guards.optionalUser,
          async (request: FastifyRequest) => {
            if (hasKey(request)) await guards.app(request)
          },
        ],
        schema: {
          tags: ['Authentication'],
          operationId: 'createPlayerToken',
          summary: 'Create a player token',
          description:
            'With a server key: for any player of the app; the token ends within a second with the key. With a session: for a player whose `userId` is that user (else 403); the token ends with the session, or when the player is linked to another user. It ends with the player in both cases. ' +
            'The token is sent beside an app key and may read what a client key may, set the name and the image of its player, and set its scores in mini game types with `submittedBy: player`.',
          security: [{ appKey: [] }, { session: [] }, { session: [], appKey: [] }],
          body: NewPlayerToken,
          response: { 200: PlayerToken, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const asker = { app: guards.maybeAppOf(request), user: guards.maybeUserOf(request) }
        return service.issue(asker, request.body)
      },
    )
  }
