import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { conditionsOf, hasTag, quoteTag, ReadConditions } from '../../platform/http/conditions.ts'
import { inForms } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import type { Documents } from './documents/documents.ts'
import { API_TYPE, GEOJSON_TYPE, JSON_TYPE, SCHEMA_TYPE } from './documents/media-types.ts'
import { tagOf } from './edit/edits.ts'
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
  type ItemsQuery,
  itemsQueryOf,
  Landing,
  SchemaQuery,
} from './schema.ts'

const tags = ['OGC API Features']
const AnyDocument = z.record(z.string(), z.unknown())

/** As bytes: to the type of a text a charset would be added, by which GDAL no longer knows it. */
const bytesOf = (document: object) => Buffer.from(JSON.stringify(document)) as never

/** OGC API Features: mounted under /ogc. */
export const featureRoutes =
  ({ documents, items }: { documents: Documents; items: Items }): FastifyPluginAsyncZod =>
  async (app) => {
    const document = (operationId: string, summary: string, answer: z.ZodType, type = JSON_TYPE) => ({
      schema: {
        tags,
        operationId,
        summary,
        querystring: DocumentQuery,
        response: { 200: inForms('The document', { [type]: answer }) },
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
      async () => documents.landing(),
    )
    // As people also write the address.
    app.get(
      '/',
      { prefixTrailingSlash: 'slash', schema: { hide: true, querystring: DocumentQuery } as object },
      async () => documents.landing(),
    )

    app.get('/conformance', document('listConformanceClasses', 'List the conformance classes', Conformance), async () =>
      documents.conformance(),
    )

    app.get(
      '/api',
      document('getApiDescription', 'Get the OpenAPI 3.0 description for GIS clients', AnyDocument, API_TYPE),
      async (_request, reply) => reply.type(API_TYPE).send(bytesOf(documents.api())),
    )

    app.get('/collections', document('listCollections', 'List the collections', Collections), async () =>
      documents.collections(),
    )

    for (const id of collectionIds) {
      const { title, description } = collections[id]
      const collection = id[0]!.toUpperCase() + id.slice(1)

      app.get(
        `/collections/${id}`,
        document(`get${collection}Collection`, `Get a collection: ${title}`, Collection),
        async () => documents.collection(id),
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
          reply.type(SCHEMA_TYPE).send(bytesOf(documents.schema(id, (request.query as SchemaQuery).type))),
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
          async (_request, reply) => reply.type(SCHEMA_TYPE).send(bytesOf(schemaOf(id))),
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
            response: { 200: inForms('A page of features', { [GEOJSON_TYPE]: FeaturePage }) },
          },
        },
        async (request, reply) => {
          const page = await items.page(id, request.query as ItemsQuery, addressBlock(request.ip))
          reply.type(GEOJSON_TYPE)
          return reply.send(Readable.from(page) as never)
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
            querystring: DocumentQuery,
            headers: ReadConditions,
            response: {
              200: inForms('The feature', { [GEOJSON_TYPE]: Feature }),
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
          return reply.type(GEOJSON_TYPE).send(Buffer.from(items.document(id, row)) as never)
        },
      )
    }
  }
