import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, assertFullSession, type Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../../platform/schema.ts'
import { ApiKeyList, ApiKeyWithSecret, NewApiKey } from './key-schema.ts'
import type { KeyService } from './keys.ts'

const tags = ['Apps']
const security = needs.user
const params = z.object({ id: pathId('App') })

/** Mounted under /api/v1/apps. */
export const keyRoutes =
  ({ service, guards }: { service: KeyService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const full = async (request: object) => assertFullSession(guards.userOf(request))
    const actor = (request: Parameters<typeof actorIn>[1]) => actorIn(guards.userOf(request), request)

    app.get(
      '/:id/api-keys',
      {
        config: { appRole: 'admin' },
        schema: {
          tags,
          security,
          operationId: 'listApiKeys',
          summary: "List an app's working API keys",
          description:
            "Newest first. Keys are masked; the full current key is a member of the app. For owners and admins of the app. Calls made through other processes may appear up to ten seconds late, as in the app's usage.",
          params,
          response: { 200: ApiKeyList, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => ({ apiKeys: await service.list(request.params.id, guards.appUserOf(request)) }),
    )

    app.post(
      '/:id/api-keys',
      {
        config: { appRole: 'admin', holdsSecret: true },
        onRequest: full,
        schema: {
          tags,
          security,
          operationId: 'createApiKey',
          summary: 'Create an additional API key',
          description: `Only this response contains the key. It works until it is deleted: rotating the app's key does not end it. An app can have at most 20 working keys (409). ${FULL_SESSION_ONLY}`,
          params,
          body: NewApiKey,
          response: { 201: ApiKeyWithSecret, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(await service.create(request.params.id, guards.appUserOf(request), request.body, actor(request))),
    )

    app.delete(
      '/:id/api-keys/:keyId',
      {
        config: { appRole: 'admin' },
        onRequest: full,
        schema: {
          tags,
          security,
          operationId: 'revokeApiKey',
          summary: 'Revoke an API key',
          description: `Deletes an additional key, or ends a replaced one before its grace period is over. It stops working everywhere within a second. Returns 409 for the current key: rotate it instead. ${FULL_SESSION_ONLY}`,
          params: params.extend({ keyId: z.string().describe('The public part of the key') }),
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, keyId } = request.params
        await service.end(id, guards.appUserOf(request), keyId, actor(request))
        return reply.code(204).send(null)
      },
    )
  }
