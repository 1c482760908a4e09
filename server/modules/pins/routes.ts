import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { inForms, needs } from '../../platform/http/docs/openapi.ts'
import { linkNext } from '../../platform/http/pages.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { PoseForm } from '../places/schema.ts'
import { LocatedPin, NewPin, Pin, PinChange } from './schema.ts'
import type { PinsAround } from './search/pins-around.ts'
import { LocationQuery } from './search/query.ts'
import type { PinService } from './service.ts'

const params = z.object({ id: pathInteger })
const tags = ['Location']

const found = z.object({ pins: z.array(LocatedPin) })
const features = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        id: z.int(),
        geometry: z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2).max(3) }),
        properties: LocatedPin,
      }),
    ),
  })
  .meta({ id: 'PinFeatures' })

/** Instructions of 10,000 characters, each escaped, and all the rest. */
const PIN_BYTES = 128 * 1024

/** Mounted under /api. */
export const pinRoutes =
  ({ service, around, guards }: { service: PinService; around: PinsAround; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/location/pins',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'Pins around a point, nearest first',
          description:
            'Public pins within `radius` metres, and with a session also your own private ones. `distance` is the WGS84 geodesic, right to the millimetre, at the poles and across 180° too. `nearest` asks for so many however far away, `bbox` for those in a box; filters apply before the limit. When there are more than `limit`, the next page is in the header Link: it goes on after the last pin shown, whatever was added or removed meanwhile. There is no total count.',
          querystring: LocationQuery,
          response: {
            200: inForms('Pins, and where a pose was asked for, theirs', {
              'application/json': found,
              'application/geo+json': features,
            }),
          },
        },
      },
      async (request, reply) => {
        const { body, next } = await around(guards.maybeUserOf(request)?.id, request.query)
        linkNext(request, reply, next)
        const isJson = request.query.format === 'json'
        return reply.type(isJson ? 'application/json; charset=utf-8' : 'application/geo+json').send(body as never)
      },
    )

    app.post(
      '/location/pins',
      {
        bodyLimit: PIN_BYTES,
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          summary: 'Create a pin',
          description:
            'At `latitude` and `longitude`, or at the position of `geoPose`; both given must agree. It belongs to its maker; a private one is found by that user alone, an unlisted one only by its id.',
          body: NewPin,
          response: { 201: Pin },
        },
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
          description:
            'Public and unlisted pins are open; a private one is there for its maker, the owner of its zone and ops only.',
          params,
          querystring: z.object({ pose: PoseForm.optional() }),
          response: { 200: Pin, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.maybeUserOf(request), request.params.id, request.query.pose),
    )

    app.put(
      '/location/pins/:id',
      {
        bodyLimit: PIN_BYTES,
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          summary: 'Change a pin',
          description:
            'By its maker, the owner of its zone or ops. `title` is required; other members that are absent stay, null clears. Coordinates and geoPose move together: given one, the other follows (a pose keeps its height and angles). The blockchain members are changed by ops only. The pin of a ground control point changes only through that: 409.',
          params,
          body: PinChange,
          response: { 200: Pin, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => service.change(guards.userOf(request), request.params.id, request.body),
    )

    app.delete(
      '/location/pins/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          summary: 'Remove a pin',
          description:
            'By its maker, the owner of its zone or ops. The pin of a ground control point goes only with that: 409.',
          params,
          response: { 204: z.null().describe('Removed'), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(guards.userOf(request), request.params.id)
        return reply.code(204).send(null)
      },
    )
  }
