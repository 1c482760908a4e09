import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import { Fence, FenceChange, FenceList, NewFence, NewPositionSettings, PositionSettings } from './schema.ts'
import type { FenceService } from './service.ts'

const tags = ['Fences']
const security = needs.appKey
const params = z.object({ id: pathId('Fence') })

/** Mounted under /api/v1/apps. */
export const fenceRoutes =
  ({ service, guards }: { service: FenceService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)
    const isClient = (request: object) =>
      guards.appOf(request).kind === 'client' || guards.maybePlayerOf(request) !== undefined

    app.get(
      '/fences',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'listFences',
          summary: "List the app's fences",
          description: 'Oldest first. Client keys and player tokens get those that are `listed`.',
          querystring: PageQuery,
          response: { 200: FenceList },
        },
      },
      async (request, reply) => {
        const page = await service.page(guards.appOf(request).id, isClient(request), request.query)
        return { fences: pageRows(request, reply, page) }
      },
    )

    app.post(
      '/fences',
      {
        schema: {
          tags,
          security,
          operationId: 'createFence',
          summary: 'Create a fence',
          description:
            'Makes a zone, or a circle around a pin, a fence of the app: positions of its players then report who enters, leaves and dwells there. Any zone can be a fence, and any pin that is not private, or belongs to the owner of the app. The fence moves with its zone or pin, and is deleted with it. Returns 409 if the app has reached its quota of fences.',
          body: NewFence,
          response: { 201: Fence, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await service.create(guards.appOf(request).id, request.body)),
    )

    app.get(
      '/fences/:id',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getFence',
          summary: 'Get a fence',
          params,
          response: { 200: Fence, 404: ErrorBody },
        },
      },
      async (request) => {
        const { id } = guards.appOf(request)
        return isClient(request) ? service.getListed(id, request.params.id) : service.get(id, request.params.id)
      },
    )

    app.patch(
      '/fences/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'updateFence',
          summary: 'Update a fence',
          description: 'Players inside stay inside. To move a fence, move its zone or pin.',
          params,
          body: FenceChange,
          response: { 200: Fence, 404: ErrorBody },
        },
      },
      async (request) => service.change(guards.appOf(request).id, request.params.id, request.body),
    )

    app.delete(
      '/fences/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'deleteFence',
          summary: 'Delete a fence',
          description: 'Deletes its check-ins too; scores stay. No exit is reported for the players inside.',
          params,
          response: { 204: z.null().describe('Deleted'), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(guards.appOf(request).id, request.params.id)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/positions/settings',
      {
        schema: {
          tags,
          security,
          operationId: 'getPositionSettings',
          summary: 'Get the settings of positions',
          response: { 200: PositionSettings },
        },
      },
      async (request) => service.settings(guards.appOf(request).id),
    )

    app.put(
      '/positions/settings',
      {
        schema: {
          tags,
          security,
          operationId: 'setPositionSettings',
          summary: 'Set the settings of positions',
          body: NewPositionSettings,
          response: { 200: PositionSettings },
        },
      },
      async (request) => service.setSettings(guards.appOf(request).id, request.body, guards.actorInApp(request)),
    )
  }
