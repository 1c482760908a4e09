import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/openapi.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { NewZone, Zone } from './schema.ts'
import type { ZoneService } from './service.ts'
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
