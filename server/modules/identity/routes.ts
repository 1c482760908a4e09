import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { decodeProtectedHeader } from 'jose'
import { z } from 'zod'
import { bearerOf } from '../../platform/credentials/bearer.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Tokens } from '../../platform/credentials/tokens.ts'
import { unauthorized } from '../../platform/errors.ts'
import { hasBody } from '../../platform/http/bodies/body-bytes.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { Exchange, ExchangeAnswer, JwkSet, Sync, SyncAnswer } from './schema.ts'
import type { IdentityService } from './service.ts'

const tags = ['Authentication']

type Deps = { service: IdentityService; tokens: Tokens; guards: Guards }

export const identityRoutes =
  ({ service, tokens, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })

    app.post(
      '/auth/exchange',
      {
        config: { needsDiskSpace: false, limit: 'exchange', holdsSecret: true },
        schema: {
          tags,
          operationId: 'exchangeIdentityToken',
          summary: 'Exchange an identity token for a session token',
          body: Exchange,
          response: { 200: ExchangeAnswer, 401: ErrorBody, 503: ErrorBody },
        },
      },
      async (request) => {
        const { user, token } = await service.exchange(request.body.token)
        return { user, serviceSessionToken: token }
      },
    )

    app.post(
      '/auth/sync',
      {
        config: { needsDiskSpace: false, limit: 'exchange', holdsSecret: true },
        onRequest: guards.counted(async (request) => {
          if (!bearerOf(request) && !hasBody(request.raw)) throw noToken()
        }),
        schema: {
          tags,
          operationId: 'syncSession',
          summary: 'Get or renew a session token',
          description:
            'Accepts an identity token of a configured issuer, or a valid session token of this service. Send it as Bearer token or as `token` in the body; if both are sent, the Bearer token is used.',
          security: [{}, ...needs.identity],
          body: Sync.nullish(),
          response: { 200: SyncAnswer, 503: ErrorBody },
        },
      },
      async (request) => {
        const given = bearerOf(request) ?? request.body?.token
        if (given === undefined) throw noToken()
        const { user, token, expiryTime } = isSessionToken(given)
          ? await service.renew(given)
          : await service.exchange(given)
        return { user, sessionToken: token, expiryTime }
      },
    )

    app.post(
      '/auth/sign-out',
      {
        config: { needsDiskSpace: false, holdsSecret: true },
        onRequest: guards.user,
        schema: {
          tags,
          operationId: 'signOut',
          summary: 'Sign out',
          security: needs.user,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        await service.signOut(guards.userOf(request).sessionId)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/.well-known/jwks.json',
      {
        schema: {
          tags,
          operationId: 'getPublicKeys',
          summary: 'Get the public keys that verify session tokens',
          response: { 200: JwkSet },
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300')
        return tokens.jwks()
      },
    )
  }

const noToken = () =>
  unauthorized(
    'Send an identity token or a session token, in the header Authorization: Bearer <token> or as {"token"} in the body',
  )

/** Session tokens have the type of RFC 9068; both kinds are fully verified afterwards. */
function isSessionToken(token: string) {
  try {
    return decodeProtectedHeader(token).typ === 'at+jwt'
  } catch {
    return false
  }
}
