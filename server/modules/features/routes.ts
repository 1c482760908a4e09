import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { inForms } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { API_TYPE, GEOJSON_TYPE, JSON_TYPE, SCHEMA_TYPE } from './documents/api-document.ts'
import type { Documents } from './documents/documents.ts'
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

      const schemas = [
        [
          'queryables',
          `list${collection}Queryables`,
          'List the queryable properties',
          'The properties that features can be filtered by.',
          documents.queryables,
        ],
        [
          'schema',
          `get${collection}Schema`,
          'Get the feature schema',
          'The properties of features and their types, as defined by OGC API Features part 5.',
          documents.schema,
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
            response: { 200: inForms('The feature', { [GEOJSON_TYPE]: Feature }), 404: ErrorBody },
          },
        },
        async (request, reply) => {
          const feature = await items.one(id, request.params.featureId)
          return reply.type(GEOJSON_TYPE).send(Buffer.from(feature) as never)
        },
      )
    }
  }
