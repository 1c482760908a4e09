import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/openapi.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { LocatedPin, LocationQuery, NewPin, NewZone, Pin, Zone } from './schema.ts'
import type { PinService, ZoneService } from './service.ts'
import type { ZoneStore } from './store.ts'

const params = z.object({ id: pathInteger })

/** Mounted under /api. */
export const zoneRoutes =
  ({ store, service, guards }: { store: ZoneStore; service: ZoneService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Zones']

    app.get(
      '/zones',
      { schema: { tags, summary: 'All zones, oldest first', response: { 200: z.object({ zones: z.array(Zone) }) } } },
      async () => ({ zones: await store.list() }),
    )

    app.post(
      '/zones',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          summary: 'Create a zone',
          description:
            'The boundary is a GeoJSON Polygon or MultiPolygon (RFC 7946): positions are longitude, latitude; rings are closed.',
          body: NewZone,
          response: { 201: Zone },
        },
      },
      async (request, reply) => reply.code(201).send(await service.create(guards.userOf(request), request.body)),
    )

    app.get(
      '/zones/:id',
      { schema: { tags, summary: 'One zone', params, response: { 200: Zone, 404: ErrorBody } } },
      async (request) => service.get(request.params.id),
    )
  }

/** Mounted under /api. */
export const pinRoutes =
  ({ service, guards }: { service: PinService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Location']

    app.get(
      '/location/pins',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'Pins around a point, nearest first',
          description:
            'Public pins within `radius` metres, and with a session also your own private ones. `distance` is the WGS84 geodesic, right to the millimetre, at the poles and across 180° too.',
          querystring: LocationQuery,
          response: { 200: z.object({ pins: z.array(LocatedPin) }) },
        },
      },
      async (request) => ({ pins: await service.near(guards.maybeUserOf(request), request.query) }),
    )

    app.post(
      '/location/pins',
      {
        onRequest: guards.user,
        schema: { tags, security: needs.user, summary: 'Create a pin', body: NewPin, response: { 201: Pin } },
      },
      async (request, reply) => reply.code(201).send(await service.create(guards.userOf(request), request.body)),
    )

    app.get(
      '/location/pins/:id',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'One pin',
          description: 'Public and unlisted pins are open; a private one is there for its owner only.',
          params,
          response: { 200: Pin, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.maybeUserOf(request), request.params.id),
    )
  }
