import { z } from 'zod'
import { collectionIds, collections, itemsQueryOf, MAX_FEATURES, USUAL_FEATURES } from '../schema.ts'
import { editOperations } from './edit-operations.ts'
import { failureResponses, failures, READ_FAILURES } from './failures.ts'
import { API_TYPE, GEOJSON_TYPE, HTML_TYPE, JSON_TYPE, SCHEMA_TYPE } from './media-types.ts'
import { tileMatrixSetOperations, tileOperations } from './tile-operations.ts'

/** The JSON schema of a parameter, in words that OpenAPI 3.0 has too. */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema, pattern, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'openapi-3.0' })
  const { type, minimum, maximum } = z.toJSONSchema(schema, {
    io: 'output',
    target: 'openapi-3.0',
    unrepresentable: 'any',
  })
  return type === 'integer' || type === 'number' ? { type, minimum, maximum } : rest
}

const asked = (name: string, schema: object, description?: string) => ({
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: false,
  schema,
  ...(description && { description }),
})

/** The interface under /ogc in OpenAPI 3.0, which GIS clients read for the largest page and the properties to filter by. */
export function apiDocument(base: string) {
  const answer = (description: string, type: string, errors = READ_FAILURES, more: object = {}) => ({
    responses: {
      '200': {
        description,
        content: { [type]: { schema: { type: 'object' } }, [HTML_TYPE]: { schema: { type: 'string' } } },
      },
      ...more,
      ...failures(...errors),
    },
  })
  const f = { $ref: '#/components/parameters/f' }
  const document = (operationId: string, summary: string) => ({
    get: { operationId, summary, parameters: [f], ...answer('The document', JSON_TYPE) },
  })
  const paths: Record<string, object> = {
    '/': document('landing', 'Get the landing page'),
    '/conformance': document('conformance', 'List the conformance classes'),
    '/api': {
      get: {
        operationId: 'api',
        summary: 'Get this description',
        parameters: [f],
        ...answer('The description', API_TYPE),
      },
    },
    '/collections': document('collections', 'List the collections'),
    ...tileMatrixSetOperations(),
  }
  for (const id of collectionIds) {
    const { title, filters } = collections[id]
    const path = `/collections/${id}`
    const standard = [
      'limit',
      'cursor',
      'bbox',
      'bbox-crs',
      'crs',
      'datetime',
      'filter',
      'filter-lang',
      'filter-crs',
      'sortby',
      'properties',
      'f',
    ]
    paths[path] = document(`describe-${id}`, `Get a collection: ${title}`)
    for (const [name, summary] of [
      ['queryables', 'List the queryable properties'],
      ['sortables', 'List the sortable properties'],
      ['schema', 'Get the feature schema'],
      ['geojson-schema', 'Get the GeoJSON feature schema'],
    ] as const)
      paths[`${path}/${name}`] = {
        get: {
          operationId: `${name}-${id}`,
          summary: `${summary}: ${title}`,
          parameters: [f],
          ...answer('The JSON schema', SCHEMA_TYPE),
        },
      }
    paths[`${path}/items`] = {
      get: {
        operationId: `features-${id}`,
        summary: `List features: ${title}`,
        parameters: [
          ...standard.map((name) => ({ $ref: `#/components/parameters/${name}` })),
          ...Object.entries(filters).map(([name, schema]) => asked(name, jsonSchema(schema))),
        ],
        ...answer('A page of features', GEOJSON_TYPE),
      },
      ...editOperations(id).items,
    }
    paths[`${path}/items/{featureId}`] = {
      get: {
        operationId: `feature-${id}`,
        summary: `Get a feature: ${title}`,
        parameters: [
          { name: 'featureId', in: 'path', required: true, schema: { type: 'integer' } },
          { $ref: '#/components/parameters/crs' },
          f,
        ],
        ...answer('The feature', GEOJSON_TYPE, [...READ_FAILURES, 404], {
          '304': { description: 'The ETag is current' },
        }),
      },
      ...editOperations(id).one,
    }
    Object.assign(paths, tileOperations(id))
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Cairn: features for maps and GIS', version: '1.0.0', license: { name: 'Apache-2.0' } },
    servers: [{ url: base }],
    paths,
    components: {
      parameters: standardParameters(),
      responses: failureResponses(),
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'A session token or a personal token' },
        basic: { type: 'http', scheme: 'basic', description: 'A personal token as the password' },
      },
    },
  }
}

function standardParameters() {
  const { shape } = itemsQueryOf('pins')
  const descriptionOf = (name: string) => z.globalRegistry.get(shape[name as keyof typeof shape])?.description
  const many = (count: number) => ({ minItems: count, maxItems: count })
  return {
    f: asked('f', { type: 'string', enum: ['json', 'html'] }, descriptionOf('f')),
    limit: asked(
      'limit',
      { type: 'integer', minimum: 1, maximum: MAX_FEATURES, default: USUAL_FEATURES },
      descriptionOf('limit'),
    ),
    cursor: asked('cursor', { type: 'string' }, descriptionOf('cursor')),
    bbox: asked('bbox', { type: 'array', oneOf: [many(4), many(6)], items: { type: 'number' } }, descriptionOf('bbox')),
    'bbox-crs': asked('bbox-crs', { type: 'string', format: 'uri' }, descriptionOf('bbox-crs')),
    crs: asked('crs', { type: 'string', format: 'uri' }, descriptionOf('crs')),
    datetime: asked('datetime', { type: 'string' }, descriptionOf('datetime')),
    filter: asked('filter', { type: 'string' }, descriptionOf('filter')),
    'filter-lang': asked('filter-lang', {
      type: 'string',
      enum: ['cql2-text', 'cql2-json'],
      default: 'cql2-text',
    }),
    'filter-crs': asked('filter-crs', { type: 'string', format: 'uri' }, descriptionOf('filter-crs')),
    sortby: asked(
      'sortby',
      { type: 'array', minItems: 1, items: { type: 'string', pattern: '[+|-]?[A-Za-z_].*' } },
      descriptionOf('sortby'),
    ),
    properties: asked('properties', { type: 'array', items: { type: 'string' } }, descriptionOf('properties')),
  }
}
