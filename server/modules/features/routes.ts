import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Page } from '../../platform/html/page.ts'
import { conditionsOf, hasTag, quoteTag, ReadConditions } from '../../platform/http/conditions.ts'
import { inForms } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { systemHeaders } from './crs/system-headers.ts'
import type { Documents } from './documents/documents.ts'
import { API_TYPE, GEOJSON_TYPE, HTML_TYPE, JSON_TYPE, SCHEMA_TYPE } from './documents/media-types.ts'
import { tagOf } from './edit/edits.ts'
import { sendPage, wantsHtml } from './html/negotiation.ts'
import {
  apiPage,
  collectionPage,
  collectionsPage,
  conformancePage,
  FEATURES_A_PAGE,
  itemPage,
  itemsPage,
  landingPage,
  schemaPage,
} from './html/pages.ts'
import type { Items } from './items.ts'
import {
  Collection,
  Collections,
  Conformance,
  collectionIds,
  collections,
  costOfPage,
  DocumentQuery,
  Feature,
  FeaturePage,
  FeatureQuery,
  type ItemsQuery,
  itemsQueryOf,
  Landing,
  SchemaQuery,
} from './schema.ts'

const tags = ['OGC API Features']
const AnyDocument = z.record(z.string(), z.unknown())

/** As bytes: to the type of a text a charset would be added, by which GDAL no longer knows it. */
const bytesOf = (document: object) => Buffer.from(JSON.stringify(document)) as never

/** Sends a document, or the page that shows it to people. */
function answer<Document extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
  pageOf: (document: Document) => Page,
  type = JSON_TYPE,
): never {
  if (wantsHtml(request)) return sendPage(reply, pageOf(document))
  return reply.type(type).header('vary', 'Accept').send(bytesOf(document)) as never
}

/** OGC API Features: mounted under /ogc. */
export const featureRoutes =
  ({ documents, items }: { documents: Documents; items: Items }): FastifyPluginAsyncZod =>
  async (app) => {
    const document = (operationId: string, summary: string, response: z.ZodType, type = JSON_TYPE) => ({
      schema: {
        tags,
        operationId,
        summary,
        querystring: DocumentQuery,
        response: { 200: inForms('The document', { [type]: response, [HTML_TYPE]: z.string() }) },
      },
    })

    app.get(
      '',
      {
        schema: {
          ...document('getLandingPage', 'Get the landing page', Landing).schema,
          description: 'Enter this address in QGIS, GDAL or any other client of OGC API Features.',
        },
      },
      async (request, reply) => answer(request, reply, documents.landing(), landingPage),
    )
    // As people also write the address.
    app.get(
      '/',
      { prefixTrailingSlash: 'slash', schema: { hide: true, querystring: DocumentQuery } as object },
      async (request, reply) => answer(request, reply, documents.landing(), landingPage),
    )

    app.get(
      '/conformance',
      document('listConformanceClasses', 'List the conformance classes', Conformance),
      async (request, reply) => answer(request, reply, documents.conformance(), conformancePage),
    )

    app.get(
      '/api',
      document('getApiDescription', 'Get the OpenAPI 3.0 description for GIS clients', AnyDocument, API_TYPE),
      async (request, reply) => answer(request, reply, documents.api(), apiPage, API_TYPE),
    )

    app.get('/collections', document('listCollections', 'List the collections', Collections), async (request, reply) =>
      answer(request, reply, await documents.collections(), collectionsPage),
    )

    for (const id of collectionIds) {
      const { title, description } = collections[id]
      const collection = id[0]!.toUpperCase() + id.slice(1)

      app.get(
        `/collections/${id}`,
        document(`get${collection}Collection`, `Get a collection: ${title}`, Collection),
        async (request, reply) => answer(request, reply, await documents.collection(id), collectionPage),
      )

      app.get(
        `/collections/${id}/schema`,
        {
          schema: {
            ...document(`get${collection}Schema`, `Get the feature schema: ${title}`, AnyDocument, SCHEMA_TYPE).schema,
            description:
              'The properties of features and their types, as defined by OGC API Features part 5; with `type`, those that a request may have, as defined by part 4.',
            querystring: SchemaQuery,
          },
        },
        async (request, reply) =>
          answer(request, reply, documents.schema(id, (request.query as SchemaQuery).type), schemaPage, SCHEMA_TYPE),
      )

      const schemas = [
        [
          'queryables',
          `list${collection}Queryables`,
          'List the queryable properties',
          'The properties that features can be filtered by.',
          documents.queryables,
        ],
        [
          'sortables',
          `list${collection}Sortables`,
          'List the sortable properties',
          'The properties that features can be sorted by.',
          documents.sortables,
        ],
        [
          'geojson-schema',
          `get${collection}GeojsonSchema`,
          'Get the GeoJSON feature schema',
          'The feature schema in the shape of a GeoJSON feature.',
          documents.geojsonSchema,
        ],
      ] as const
      for (const [name, operationId, summary, description, schemaOf] of schemas)
        app.get(
          `/collections/${id}/${name}`,
          {
            schema: {
              ...document(operationId, `${summary}: ${title}`, AnyDocument, SCHEMA_TYPE).schema,
              description,
            },
          },
          async (request, reply) => answer(request, reply, schemaOf(id), schemaPage, SCHEMA_TYPE),
        )

      app.get(
        `/collections/${id}/items`,
        {
          config: { cost: costOfPage },
          schema: {
            tags,
            operationId: `list${collection}Features`,
            summary: `List features: ${title}`,
            description: `${description}. Ordered by ID. The link \`next\` has the next page. Unknown parameters return 400.`,
            querystring: itemsQueryOf(id),
            response: { 200: inForms('A page of features', { [GEOJSON_TYPE]: FeaturePage, [HTML_TYPE]: z.string() }) },
          },
        },
        async (request, reply) => {
          const query = request.query as ItemsQuery
          const sender = addressBlock(request.ip)
          if (wantsHtml(request)) {
            const few = { ...query, limit: Math.min(query.limit, FEATURES_A_PAGE) }
            const { pieces } = await items.page(id, few, sender)
            reply.header('link', documents.featureLinks(id))
            return sendPage(
              reply,
              itemsPage(id, JSON.parse((await Array.fromAsync(pieces)).join('')), documents.base()),
            )
          }
          const { pieces, ...placing } = await items.page(id, query, sender)
          reply
            .type(GEOJSON_TYPE)
            .headers({ vary: 'Accept', link: documents.featureLinks(id), ...systemHeaders(placing) })
          return reply.send(Readable.from(pieces) as never)
        },
      )

      app.get(
        `/collections/${id}/items/:featureId`,
        {
          schema: {
            tags,
            operationId: `get${collection}Feature`,
            summary: `Get a feature: ${title}`,
            params: z.object({ featureId: pathInteger.describe('Feature ID') }),
            querystring: FeatureQuery,
            headers: ReadConditions,
            response: {
              200: inForms('The feature', { [GEOJSON_TYPE]: Feature, [HTML_TYPE]: z.string() }),
              304: z.null().describe('The ETag is current'),
              404: ErrorBody,
            },
          },
        },
        async (request, reply) => {
          const row = await items.one(id, request.params.featureId)
          const tag = tagOf(row)
          const { ifNoneMatch } = conditionsOf(request)
          reply.header('etag', quoteTag(tag))
          if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, tag)) return reply.code(304).send(null)
          const { row: placed, ...placing } = await items.placed(row, request.query.crs)
          const feature = items.document(id, placed, placing.system)
          if (wantsHtml(request)) return sendPage(reply, itemPage(id, JSON.parse(feature), documents.base()))
          return reply
            .type(GEOJSON_TYPE)
            .headers({ vary: 'Accept', ...systemHeaders(placing) })
            .send(Buffer.from(feature) as never)
        },
      )
    }
  }
