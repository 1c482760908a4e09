import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { addressBlock } from '../../platform/http/address-block.ts'
import { inForms } from '../../platform/http/openapi.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { API_TYPE, GEOJSON_TYPE, JSON_TYPE, SCHEMA_TYPE } from './api-document.ts'
import type { Documents } from './documents.ts'
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

const tags = ['Features for GIS']
const AnyDocument = z.record(z.string(), z.unknown())

/** As bytes: to the type of a text a charset would be added, by which GDAL no longer knows it. */
const bytesOf = (document: object) => Buffer.from(JSON.stringify(document)) as never

/** OGC API Features: mounted under /ogc. */
export const featureRoutes =
  ({ documents, items }: { documents: Documents; items: Items }): FastifyPluginAsyncZod =>
  async (app) => {
    const document = (summary: string, answer: z.ZodType, type = JSON_TYPE) => ({
      schema: {
        tags,
        summary,
        querystring: DocumentQuery,
        response: { 200: inForms('The document', { [type]: answer }) },
      },
    })

    app.get(
      '',
      {
        schema: {
          ...document('Get the landing page', Landing).schema,
          description: 'Give this address to QGIS, GDAL or any other client of OGC API Features.',
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

    app.get('/conformance', document('List the conformance classes', Conformance), async () => documents.conformance())

    app.get(
      '/api',
      document('Get the OpenAPI 3.0 description for GIS clients', AnyDocument, API_TYPE),
      async (_request, reply) => reply.type(API_TYPE).send(bytesOf(documents.api())),
    )

    app.get('/collections', document('List the collections', Collections), async () => documents.collections())

    for (const id of collectionIds) {
      const { title, description } = collections[id]

      app.get(`/collections/${id}`, document(`Get a collection: ${title}`, Collection), async () =>
        documents.collection(id),
      )

      const schemas = [
        [
          'queryables',
          'List the queryable properties',
          'The properties that features can be filtered by.',
          documents.queryables,
        ],
        [
          'schema',
          'Get the feature schema',
          'The properties of features and their types, as defined by OGC API Features part 5.',
          documents.schema,
        ],
        [
          'geojson-schema',
          'Get the GeoJSON feature schema',
          'The feature schema in the shape of a GeoJSON feature.',
          documents.geojsonSchema,
        ],
      ] as const
      for (const [name, summary, description, schemaOf] of schemas)
        app.get(
          `/collections/${id}/${name}`,
          { schema: { ...document(`${summary}: ${title}`, AnyDocument, SCHEMA_TYPE).schema, description } },
          async (_request, reply) => reply.type(SCHEMA_TYPE).send(bytesOf(schemaOf(id))),
        )

      app.get(
        `/collections/${id}/items`,
        {
          config: { cost: costOfPage },
          schema: {
            tags,
            summary: `List features: ${title}`,
            description: `${description}. Ordered by ID; the link \`next\` leads to the next page. Parameters not named here are refused.`,
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
