import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { readJson } from '../../../platform/http/bodies/json-bodies.ts'
import { conditionsOf, quoteTag, WriteConditions } from '../../../platform/http/conditions.ts'
import { inForms, needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, pathInteger } from '../../../platform/schema.ts'
import type { Positions } from '../crs/positions.ts'
import { contentCrs, readContentCrs, WGS84 } from '../crs/systems.ts'
import { GEOJSON_TYPE, JSON_TYPE, PATCH_TYPE } from '../documents/media-types.ts'
import type { Items } from '../items.ts'
import { type CollectionId, collectionIds, collections, DocumentQuery, Feature } from '../schema.ts'
import type { Edits, Written } from './edits.ts'
import { contentOf, FeaturePatch, featureInput } from './feature-input.ts'
import { optionsRoutes } from './options-routes.ts'

const tags = ['OGC API Features']
const params = z.object({ featureId: pathInteger.describe('Feature ID') })
const ContentCrs = z.looseObject({
  'content-crs': z
    .string()
    .max(255)
    .optional()
    .describe(
      'Reference system of the geometry in the body, as `<http://www.opengis.net/def/crs/EPSG/0/25833>`; by default CRS84. The response is in CRS84',
    ),
})
const WritesInSystem = WriteConditions.extend(ContentCrs.shape)
/** Room for what the module's own operations take. */
const BYTES: Record<CollectionId, number> = { pins: 128 * 1024, gcps: 512 * 1024, zones: 1024 * 1024 }
/** What is particular to a collection. */
const OF: Record<CollectionId, string> = {
  pins: 'Returns 409 for the pin of a ground control point: edit the point instead.',
  gcps: '`altitude` and the third coordinate do not follow each other once the point exists. `gcpType` and `zoneId` are set on creation only. A tag that other points nearby carry returns 409 with code `april_tag_conflict`.',
  zones: 'A boundary is a Polygon or MultiPolygon.',
}

const REFUSES: Record<CollectionId, string> = {
  pins: OF.pins,
  gcps: 'Its pin is deleted too.',
  zones: 'Returns 409 for a zone that is not empty.',
}

type Parts = { edits: Edits; items: Pick<Items, 'document'>; positions: Positions; base: () => string; guards: Guards }

/** Creation, replacement, update and deletion of features (OGC API Features part 4): mounted under /ogc. */
export const editRoutes =
  ({ edits, items, positions, base, guards }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    readJson(app, [GEOJSON_TYPE, PATCH_TYPE])
    await app.register(optionsRoutes({ guards }))

    const send = (reply: FastifyReply, id: CollectionId, row: Written) =>
      reply
        .headers({ etag: quoteTag(row.tag), 'content-crs': contentCrs(WGS84) })
        .type(GEOJSON_TYPE)
        .send(Buffer.from(items.document(id, row)) as never)

    /** A body with its geometry in WGS84. @throws 400 */
    const inWgs84 = async <Body extends { geometry?: unknown }>(request: FastifyRequest, body: Body): Promise<Body> => {
      const system = readContentCrs(request.headers['content-crs'])
      return { ...body, geometry: await positions.toWgs84(body.geometry, system) }
    }

    for (const id of collectionIds) {
      const { title } = collections[id]
      const collection = id[0]!.toUpperCase() + id.slice(1)
      const hasWriters = id === 'gcps'
      const onRequest = hasWriters ? guards.writer : guards.user
      const security = hasWriters && guards.openWrites ? needs.optionalUser : needs.user
      const writerOf = (request: FastifyRequest) => (hasWriters ? guards.writerOf(request) : guards.userOf(request))
      const feature = inForms('The feature', { [GEOJSON_TYPE]: Feature })
      const refusals = { 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody }
      const consumes = [GEOJSON_TYPE, JSON_TYPE]
      const one = `/collections/${id}/items/:featureId`

      app.post(
        `/collections/${id}/items`,
        {
          bodyLimit: BYTES[id],
          onRequest,
          schema: {
            tags,
            security,
            consumes,
            operationId: `create${collection}Feature`,
            summary: `Create a feature: ${title}`,
            description: `\`Location\` has the address of the feature. It belongs to the caller, and follows the rules and quotas of the operation that creates the record.${id === 'pins' ? ' The pin is public.' : ''}`,
            querystring: DocumentQuery,
            headers: ContentCrs,
            body: featureInput(id),
            response: { 201: feature, 409: ErrorBody },
          },
        },
        async (request, reply) => {
          const content = await inWgs84(request, contentOf(id, request.body))
          const row = await edits.create(writerOf(request), id, content)
          return send(reply.code(201).header('location', `${base()}/collections/${id}/items/${row.id}`), id, row)
        },
      )

      app.put(
        one,
        {
          bodyLimit: BYTES[id],
          onRequest,
          schema: {
            tags,
            security,
            consumes,
            operationId: `replace${collection}Feature`,
            summary: `Replace a feature: ${title}`,
            description: `Absent properties are cleared. Available to those who may update the record. ${OF[id]}`,
            params,
            querystring: DocumentQuery,
            headers: WritesInSystem,
            body: featureInput(id),
            response: { 200: feature, ...refusals },
          },
        },
        async (request, reply) => {
          const content = await inWgs84(request, contentOf(id, request.body))
          const conditions = conditionsOf(request)
          return send(
            reply,
            id,
            await edits.replace(writerOf(request), id, request.params.featureId, conditions, content),
          )
        },
      )

      app.patch(
        one,
        {
          bodyLimit: BYTES[id],
          onRequest,
          schema: {
            tags,
            security,
            consumes: [PATCH_TYPE, GEOJSON_TYPE, JSON_TYPE],
            operationId: `update${collection}Feature`,
            summary: `Update a feature: ${title}`,
            description: `A JSON merge patch (RFC 7396). Available to those who may update the record. ${OF[id]}`,
            params,
            querystring: DocumentQuery,
            headers: WritesInSystem,
            body: FeaturePatch,
            response: { 200: feature, ...refusals },
          },
        },
        async (request, reply) => {
          const { featureId } = request.params
          const row = await edits.update(
            writerOf(request),
            id,
            featureId,
            conditionsOf(request),
            await inWgs84(request, request.body),
          )
          return send(reply, id, row)
        },
      )

      app.delete(
        one,
        {
          onRequest: guards.user,
          schema: {
            tags,
            security: needs.user,
            operationId: `delete${collection}Feature`,
            summary: `Delete a feature: ${title}`,
            description: `Available to those who may delete the record. ${REFUSES[id]}`,
            params,
            querystring: DocumentQuery,
            headers: WriteConditions,
            response: { 204: z.null().describe('Deleted'), ...refusals },
          },
        },
        async (request, reply) => {
          await edits.remove(guards.userOf(request), id, request.params.featureId, conditionsOf(request))
          return reply.code(204).send(null)
        },
      )
    }
  }
