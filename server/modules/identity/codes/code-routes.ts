import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { bearerOf } from '../../../platform/credentials/bearer.ts'
import { assertFullSession, type Guards } from '../../../platform/credentials/guards.ts'
import { HttpError, invalid, unauthorized } from '../../../platform/errors.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import { Code, CodeAnswer, CodeExchange, NewCode } from '../schema.ts'
import type { CodeMaker } from './code-store.ts'
import type { CodeService } from './codes.ts'

const tags = ['Authentication']

export const codeRoutes =
  ({ service, guards }: { service: CodeService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.post(
      '/auth/codes',
      {
        config: { needsDiskSpace: false, holdsSecret: true },
        onRequest: [
          guards.counted(async (request) => {
            if (!hasKey(request) && !bearerOf(request))
              throw unauthorized(
                'Send a session token in the header Authorization: Bearer <token>, an app API key in x-app-api-key, or both',
              )
          }),
          guards.optionalUser,
          async (request: FastifyRequest) => {
            if (hasKey(request)) await guards.app(request)
            const user = guards.maybeUserOf(request)
            if (user) assertFullSession(user)
          },
        ],
        schema: {
          tags,
          operationId: 'createCode',
          summary: 'Create a six-digit code',
          description:
            'With a session token, the code signs in its user and can name any player; if an app key is sent too, the code belongs to that app. ' +
            'With an app key alone, the code must name a player of that app and never yields a session token. ' +
            'A code works once, is valid for 300 s unless the operator configures otherwise, and replaces the active code of the same creator and player. ' +
            'It ends with the session that created it. A session created with a code cannot create codes (403). ' +
            'A user can have at most 20 active codes (429).',
          security: [{ session: [] }, { session: [], appKey: [] }, { appKey: [] }],
          body: NewCode.nullish(),
          response: { 200: Code, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.make(makerOf(request), request.body?.playerId, request.ip),
    )

    const makerOf = (request: FastifyRequest): CodeMaker => {
      const user = guards.maybeUserOf(request)
      const appId = guards.maybeAppOf(request)?.id
      if (user) return { user, appId }
      const { playerId } = (request.body ?? {}) as { playerId?: string | null }
      if (typeof playerId !== 'string')
        throw invalid([{ code: 'invalid_type', message: 'is needed with an app key alone', path: ['playerId'] }])
      return { user: undefined, appId: appId! }
    }

    app.post(
      '/auth/codes/exchange',
      {
        config: { clientKey: true, needsDiskSpace: false, holdsSecret: true },
        errorHandler: answerTooMany,
        onRequest: async (request) => {
          if (hasKey(request)) await guards.app(request)
        },
        schema: {
          tags,
          operationId: 'exchangeCode',
          summary: 'Exchange a six-digit code',
          description:
            'With an app key, only the codes of that app are checked; without one, all codes. `status` is VALID (the code is now used up), INVALID (the code is unknown, used, replaced, or its session was signed out), ' +
            'EXPIRED (the code expired in the last 24 hours) or ERROR (the service could not decide). ' +
            'Every status but VALID is a failure. An address (for IPv6, a /64) may have 5 failures in 10 minutes. An app may have 10,000 ÷ n failures in 24 hours, and so may all callers without a key together; n is the highest number of user codes active at once in that time, and at least 20. ' +
            'Beyond that, every request returns 429 with `Retry-After` until the failures are old enough.',
          security: [{}, { appKey: [] }],
          body: CodeExchange,
          response: { 200: CodeAnswer, 429: CodeAnswer },
        },
      },
      async (request) => service.exchange(request.body.code, guards.maybeAppOf(request)?.id, request.ip),
    )
  }

const hasKey = (request: FastifyRequest) => request.headers['x-app-api-key'] !== undefined

/** A client that reads `status` finds it in a 429 too, whichever limit was exceeded. */
function answerTooMany(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof HttpError) || error.status !== 429) throw error
  return reply.code(429).headers(error.headers).send({ status: 'ERROR', error: error.error })
}
