import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToFullSessions } from '../../platform/credentials/full-session.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../platform/schema.ts'
import { MAX_MAPS, NewSharedMap, SharedMap, SharedMapChange, SharedMapList, SharedMapView } from './schema.ts'
import type { SharedMapService } from './service.ts'

type Deps = { service: SharedMapService; guards: Guards }

const tags = ['Shared maps']
const security = needs.user
const params = z.object({ id: pathId('Shared map') })
const WHAT_IS_SHOWN =
  'Anyone who knows its address sees the title, the zones, the pins and the leaderboards with the names of players.'

/** The maps of the signed-in user. Mounted under /api/v1. */
export const sharedMapRoutes =
  ({ service, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const actor = restrictToFullSessions(app, guards)

    app.get(
      '/user/maps',
      {
        schema: {
          tags,
          security,
          operationId: 'listSharedMaps',
          summary: 'List the shared maps of the signed-in user',
          description: `Oldest first. ${FULL_SESSION_ONLY}`,
          response: { 200: SharedMapList, 403: ErrorBody },
        },
      },
      async (request) => ({ maps: await service.list(guards.appUserOf(request)) }),
    )

    app.post(
      '/user/maps',
      {
        schema: {
          tags,
          security,
          operationId: 'createSharedMap',
          summary: 'Create a shared map',
          description: `${WHAT_IS_SHOWN} The address is \`url\`. Returns 409 if the user has ${MAX_MAPS}. ${FULL_SESSION_ONLY}`,
          body: NewSharedMap,
          response: { 201: SharedMap, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await service.create(guards.appUserOf(request), request.body, actor(request))),
    )

    app.patch(
      '/user/maps/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'updateSharedMap',
          summary: 'Update a shared map',
          description: `Replaces the members that are sent. ${FULL_SESSION_ONLY}`,
          params,
          body: SharedMapChange,
          response: { 200: SharedMap, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.update(request.params.id, guards.appUserOf(request), request.body, actor(request)),
    )

    app.delete(
      '/user/maps/:id',
      {
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'deleteSharedMap',
          summary: 'Delete a shared map',
          description: `Its address shows nothing from then on. ${FULL_SESSION_ONLY}`,
          params,
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(request.params.id, guards.appUserOf(request), actor(request))
        return reply.code(204).send(null)
      },
    )
  }

/** What a shared map shows, for anyone. Mounted under /api/v1. */
export const sharedMapViewRoutes =
  ({ service }: Pick<Deps, 'service'>): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/maps/:id',
      {
        schema: {
          tags,
          operationId: 'getSharedMap',
          summary: 'Get what a shared map shows',
          description:
            'Zones and pins that were deleted are left out, as are private pins, and leaderboards of apps in which the owner of the map is no longer a developer.',
          params,
          response: { 200: SharedMapView, 404: ErrorBody },
        },
      },
      async (request) => service.view(request.params.id),
    )
  }
