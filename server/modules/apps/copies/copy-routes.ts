import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, assertFullSession, type Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../../platform/schema.ts'
import { App } from '../schema.ts'
import type { CopyService } from './copies.ts'
import { AppCopy } from './copy-schema.ts'

/** Mounted under /api/v1/apps. */
export const copyRoutes =
  ({ service, guards }: { service: CopyService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/:id/copy',
      {
        config: { appRole: 'admin' },
        onRequest: [guards.user, async (request: object) => assertFullSession(guards.userOf(request))],
        schema: {
          tags: ['Apps'],
          operationId: 'copyApp',
          summary: 'Copy an app without its players',
          description: `Creates a PRIVATE app that the caller owns, with the visible mini game types and their rules, the seasons that have not ended, the fences, the current configuration, and the webhooks and score hooks, disabled and with new secrets. Records have new IDs; names stay. Players, scores, members and keys are not copied: the copy has one key of its own, masked in this response. Fences around private pins of others are left out. For owners and admins of the app. Returns 409 if the caller's quota of apps is used up, or the app exceeds a quota of an app. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params: z.object({ id: pathId('App') }),
          body: AppCopy.nullish(),
          response: { 201: App, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const user = guards.appUserOf(request)
        const actor = actorIn(guards.userOf(request), request)
        return reply.code(201).send(await service.copy(request.params.id, user, request.body ?? {}, actor))
      },
    )
  }
