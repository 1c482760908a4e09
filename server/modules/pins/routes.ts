import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/openapi.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { LocatedPin, LocationQuery, NewPin, Pin } from './schema.ts'
import type { PinService } from './service.ts'

const params = z.object({ id: pathInteger })

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
