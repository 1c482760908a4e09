import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { AuditChanges } from '../../platform/database/audit.ts'
import { ChangeConditions, checkOf, conditionsOf, quoteTag } from '../../platform/http/conditions.ts'
import { inForms, needs } from '../../platform/http/docs/openapi.ts'
import { linkNext } from '../../platform/http/pages.ts'
import { noteChanges } from '../../platform/http/responses/audit-writes.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { PoseForm } from '../places/schema.ts'
import { LocatedPin, NewPin, Pin, PinChange } from './schema.ts'
import type { PinsAround } from './search/pins-around.ts'
import { LocationQuery } from './search/query.ts'
import { type PinService, tagOfPin } from './service.ts'

const params = z.object({ id: pathInteger.describe('Pin ID') })
const tags = ['Pins']

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

/** Room for `scanInstructions` of 10,000 escaped characters, and the other fields. */
const PIN_BYTES = 128 * 1024

/** Mounted under /api. */
/** The coordinates that a change moved. */
const movesOf = (before: Pin, after: Pin): AuditChanges =>
  Object.fromEntries(
    (['latitude', 'longitude'] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { from: before[name], to: after[name] }]),
  )

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
          operationId: 'listPins',
          summary: 'List pins around a point',
          description:
            "Nearest first: public pins within `radius` metres and, with a session, also the caller's own private ones. `distance` is the WGS84 geodesic, accurate to the millimetre, also at the poles and across 180°. `nearest` finds that many pins at any distance, `bbox` those in a box. Filters apply before the limit. If there are more than `limit`, `Link` has the next page: it continues after the last pin of this page, whatever is added or removed in between. There is no total count.",
          querystring: LocationQuery,
          response: {
            200: inForms('Pins, with their poses if `pose` was given', {
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
          operationId: 'createPin',
          summary: 'Create a pin',
          description:
            'The pin is placed at `latitude` and `longitude`, or at the position of `geoPose`; if both are given, they must agree. It belongs to its creator. Only that user finds a private pin; an unlisted one is found only by its ID.',
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
          operationId: 'getPin',
          summary: 'Get a pin',
          description:
            'Public and unlisted pins are visible to everyone. A private pin is visible only to its creator, the owner and editors of its zone, and ops. Its `ETag` changes with each write of the pin.',
          params,
          querystring: z.object({ pose: PoseForm.optional() }),
          response: { 200: Pin, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const { pin, tag } = await service.get(guards.maybeUserOf(request), id, request.query.pose)
        return reply.header('etag', quoteTag(tag)).send(pin)
      },
    )

    app.put(
      '/location/pins/:id',
      {
        bodyLimit: PIN_BYTES,
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          operationId: 'updatePin',
          summary: 'Update a pin',
          description:
            'Available to its creator, the owner and editors of its zone, and ops. `title` is required. Other omitted members are unchanged; `null` clears. Coordinates and `geoPose` move together: if one is given, the other follows (a pose keeps its height and angles). Only ops can change the blockchain members. Returns 409 for the pin of a ground control point: update the point instead. With `If-Match`, of several writers that have read the same state exactly one succeeds; the others get 412.',
          params,
          headers: ChangeConditions,
          body: PinChange,
          response: { 200: Pin, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        },
      },
      async (request, reply) => {
        const user = guards.userOf(request)
        const { id } = request.params
        const before = await service.get(user, id, undefined).catch(() => undefined)
        const { pin, tag } = await service.change(user, id, request.body, checkOf(conditionsOf(request), tagOfPin))
        if (before) noteChanges(request, movesOf(before.pin, pin))
        return reply.header('etag', quoteTag(tag)).send(pin)
      },
    )

    app.delete(
      '/location/pins/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          operationId: 'deletePin',
          summary: 'Delete a pin',
          description:
            'Available to its creator, the owner and editors of its zone, and ops. Returns 409 for the pin of a ground control point: delete the point instead.',
          params,
          headers: ChangeConditions,
          response: {
            204: z.null().describe('Deleted'),
            403: ErrorBody,
            404: ErrorBody,
            409: ErrorBody,
            412: ErrorBody,
          },
        },
      },
      async (request, reply) => {
        await service.remove(guards.userOf(request), request.params.id, checkOf(conditionsOf(request), tagOfPin))
        return reply.code(204).send(null)
      },
    )
  }
