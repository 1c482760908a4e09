import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, listCursor, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { MiniGameType, MiniGameTypeChange, MiniGameTypeList, NewMiniGameType, TypeFilter } from '../schema.ts'

const tags = ['Mini game types']
const security = needs.appKey
const params = z.object({ id: pathId('Mini game type') })
/** The cursor of this list holds a name: 255 characters of up to four bytes, and more of them once it is folded. */
const querystring = PageQuery.extend(TypeFilter.shape).extend({
  cursor: z.string().max(16_384).optional().describe(listCursor.description!),
})

export const typeRoutes =
  ({ typeStore, types, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/mini-game-types',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'listMiniGameTypes',
          summary: "List the app's mini game types",
          description: 'Ordered by name.',
          querystring,
          response: { 200: MiniGameTypeList },
        },
      },
      async (request, reply) => ({
        miniGameTypes: pageRows(request, reply, await typeStore.page(guards.appOf(request).id, request.query)),
      }),
    )

    app.post(
      '/mini-game-types',
      {
        schema: {
          tags,
          security,
          operationId: 'createMiniGameType',
          summary: 'Create a mini game type',
          description:
            'Returns 409 if the app already has a type with this name, ignoring case, or has reached its quota of types, shown or hidden.',
          body: NewMiniGameType,
          response: { 201: MiniGameType, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await types.create(guards.appOf(request).id, request.body)),
    )

    app.get(
      '/mini-game-types/:id',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getMiniGameType',
          summary: 'Get a mini game type',
          params,
          response: { 200: MiniGameType, 404: ErrorBody },
        },
      },
      async (request) => types.get(guards.appOf(request).id, request.params.id),
    )

    app.patch(
      '/mini-game-types/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'updateMiniGameType',
          summary: 'Update a mini game type',
          description:
            'Omitted members are unchanged. `sortOrder`, `scoreMode` and `ties` are fixed once a score is written (409). New bounds apply to later scores; scores already written are kept and ranked.',
          params,
          body: MiniGameTypeChange,
          response: { 200: MiniGameType, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => types.change(guards.appOf(request).id, request.params.id, request.body),
    )

    app.delete(
      '/mini-game-types/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'hideMiniGameType',
          summary: 'Hide a mini game type',
          description:
            'Removes the type from lists, leaderboards and rankings, and frees its name. Its sessions and scores remain and still show the type, and its active sessions can be finished. `POST …/restore` shows it again. A hidden type that was never played is deleted permanently once the app has more hidden types than its quota of shown ones.',
          params,
          response: { 204: z.null().describe('Hidden'), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await types.hide(guards.appOf(request).id, request.params.id)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/mini-game-types/:id/restore',
      {
        schema: {
          tags,
          security,
          operationId: 'restoreMiniGameType',
          summary: 'Restore a hidden mini game type',
          description:
            'Returns the type to lists, leaderboards and rankings, with the scores written meanwhile. Returns 409 if another type has taken its name. Has no effect on a type that is not hidden.',
          params,
          response: { 200: MiniGameType, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => types.restore(guards.appOf(request).id, request.params.id),
    )
  }
