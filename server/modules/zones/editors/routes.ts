import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, assertFullSession, type Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId, pathInteger } from '../../../platform/schema.ts'
import { NewZoneEditor, ZoneEditor, ZoneEditorList } from './schema.ts'
import type { EditorService } from './service.ts'

const tags = ['Zones']
const security = needs.user
const params = z.object({ id: pathInteger.describe('Zone ID') })
const ofEditor = params.extend({ userId: pathId('Editor') })
const errors = { 403: ErrorBody, 404: ErrorBody }

/** Mounted under /api. */
export const editorRoutes =
  ({ service, guards }: { service: EditorService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    const full = async (request: FastifyRequest) => assertFullSession(guards.userOf(request))
    const actor = (request: FastifyRequest) => actorIn(guards.userOf(request), request)

    app.get(
      '/zones/:id/editors',
      {
        schema: {
          tags,
          security,
          operationId: 'listZoneEditors',
          summary: 'List the editors of a zone',
          description:
            'In the order in which they became editors. Available to the owner of the zone, its editors and ops.',
          params,
          response: { 200: ZoneEditorList, ...errors },
        },
      },
      async (request) => ({ editors: await service.list(guards.userOf(request), request.params.id) }),
    )

    app.post(
      '/zones/:id/editors',
      {
        onRequest: full,
        schema: {
          tags,
          security,
          operationId: 'addZoneEditor',
          summary: 'Add an editor to a zone',
          description: `An editor may create, update and delete pins, ground control points, their photos, and imports in the zone, also those of others, but cannot change or delete the zone itself. Available to the owner of the zone and ops. Returns 404 for an unknown user, and 409 for an editor or if the zone has 100 editors. ${FULL_SESSION_ONLY}`,
          params,
          body: NewZoneEditor,
          response: { 201: ZoneEditor, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        return reply.code(201).send(await service.add(guards.userOf(request), id, request.body.userId, actor(request)))
      },
    )

    app.delete(
      '/zones/:id/editors/:userId',
      {
        onRequest: full,
        schema: {
          tags,
          security,
          operationId: 'removeZoneEditor',
          summary: 'Remove an editor, or leave a zone',
          description: `Available to the owner of the zone and ops; every editor can leave. What the editor created stays. ${FULL_SESSION_ONLY}`,
          params: ofEditor,
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        const { id, userId } = request.params
        await service.remove(guards.userOf(request), id, userId, actor(request))
        return reply.code(204).send(null)
      },
    )
  }
