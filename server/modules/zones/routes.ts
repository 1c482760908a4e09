import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { linkNext, PageQuery, pageRows } from '../../platform/http/pages.ts'
import { noteCreated } from '../../platform/http/responses/audit-writes.ts'
import { sendRows } from '../../platform/http/responses/streamed-rows.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { NewZone, Zone, ZoneChange, ZoneList, ZoneRemoval, ZonesAtQuery } from './schema.ts'
import type { ZoneService } from './service.ts'
import type { StoredZone } from './store.ts'

const tags = ['Zones']
const params = z.object({ id: pathInteger.describe('Zone ID') })
const BOUNDARY =
  'The boundary is a GeoJSON Polygon or MultiPolygon (RFC 7946) of at most 10,000 positions: longitude, latitude in degrees. Rings are closed, in either direction, and do not cross or touch themselves; holes lie inside. Cut a boundary that crosses 180° into two polygons of a MultiPolygon. It is stored as sent.'

/** Room for a boundary of 10,000 positions, with heights and any JSON formatting. */
const BOUNDARY_BYTES = 1024 * 1024

/** A zone as JSON, with its boundary as stored. */
function zoneText({ id, title, description, boundary, ...others }: StoredZone): string {
  const [head, tail] = [JSON.stringify({ id, title, description }), JSON.stringify(others)]
  return `${head.slice(0, -1)},"boundary":${boundary ?? 'null'},${tail.slice(1)}`
}

const sendZone = (reply: FastifyReply, zone: StoredZone) =>
  reply.type('application/json; charset=utf-8').send(zoneText(zone)) as never

/** Mounted under /api. */
export const zoneRoutes =
  ({ service, guards }: { service: ZoneService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/zones',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'listZones',
          summary: 'List zones',
          description:
            'Oldest first. At most 10,000 per page, and boundaries of 100,000 positions: `Link` has the next page, `X-Total-Count` the total.',
          querystring: PageQuery,
          response: { 200: ZoneList },
        },
      },
      async (request, reply) => {
        const { page, zones } = await service.list(request.query)
        pageRows(request, reply, page)
        return sendRows(reply, zones, { member: 'zones' }) as never
      },
    )

    app.post(
      '/zones',
      {
        bodyLimit: BOUNDARY_BYTES,
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          operationId: 'createZone',
          summary: 'Create a zone',
          description: BOUNDARY,
          body: NewZone,
          response: { 201: Zone },
        },
      },
      async (request, reply) => {
        const zone = await service.create(guards.userOf(request), request.body)
        noteCreated(request, zone.id)
        return sendZone(reply.code(201), zone)
      },
    )

    app.get(
      '/zones/at',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'listZonesAtPoint',
          summary: 'List the zones that contain a point',
          description:
            'Oldest first. Computed in planar longitude and latitude, as in RFC 7946. The boundary itself counts as inside, a hole as outside; 180 and -180 are the same meridian. `Link` has the next page. A page ends before it is full if many zones had to be checked, or if its boundaries have 100,000 positions.',
          querystring: ZonesAtQuery,
          response: { 200: ZoneList },
        },
      },
      async (request, reply) => {
        const { next, zones } = await service.at(request.query, addressBlock(request.ip))
        linkNext(request, reply, next)
        return sendRows(reply, zones, { member: 'zones' }) as never
      },
    )

    app.get(
      '/zones/:id',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'getZone',
          summary: 'Get a zone',
          params,
          response: { 200: Zone, 404: ErrorBody },
        },
      },
      async (request, reply) => sendZone(reply, await service.get(request.params.id)),
    )

    app.put(
      '/zones/:id',
      {
        bodyLimit: BOUNDARY_BYTES,
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          operationId: 'updateZone',
          summary: 'Update a zone',
          description: `Available to its creator and ops. Omitted members are unchanged; \`null\` clears. ${BOUNDARY}`,
          params,
          body: ZoneChange,
          response: { 200: Zone, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) =>
        sendZone(reply, await service.update(guards.userOf(request), request.params.id, request.body)),
    )

    app.delete(
      '/zones/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          operationId: 'deleteZone',
          summary: 'Delete a zone',
          description:
            'Available to its creator and ops. Returns 409 with the counts if the zone has ground control points, pins or imports. With `cascade=true`, they are deleted too, regardless of their creator.',
          params,
          querystring: ZoneRemoval,
          response: { 204: z.null().describe('Deleted'), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(guards.userOf(request), request.params.id, request.query)
        return reply.code(204).send(null)
      },
    )
  }
