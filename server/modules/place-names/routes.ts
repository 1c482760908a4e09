import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { NamedPlaces, PlaceNameQuery } from './schema.ts'
import type { PlaceNameStore } from './store.ts'

/** Mounted under /api/location. */
export const placeNameRoutes =
  ({ store, guards }: { store: PlaceNameStore; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/names',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags: ['Pins'],
          security: needs.optionalUser,
          operationId: 'listPlacesByName',
          summary: 'List places by name',
          description:
            'Finds pins, ground control points and zones whose names match, at most `limit` of each kind. Up to 10,000 of a kind, any part of a name matches. Beyond that, a pin or zone matches by the beginning of its name, a point by its whole name. Unlisted pins are not found, and private ones only by their owner.',
          querystring: PlaceNameQuery,
          response: { 200: NamedPlaces, 400: ErrorBody },
        },
      },
      async (request) => ({ places: await store.find(request.query, guards.maybeUserOf(request)?.id) }),
    )
  }
