import { type CollectionId, collections } from '../schema.ts'
import { failures, WRITE_FAILURES } from './failures.ts'
import { GEOJSON_TYPE, PATCH_TYPE } from './media-types.ts'

const security = [{ session: [] }, { basic: [] }]
const featureId = { name: 'featureId', in: 'path', required: true, schema: { type: 'integer' } }
const f = { $ref: '#/components/parameters/f' }
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Writes only if this is the current `ETag`, otherwise 412',
}
const contentCrs = {
  name: 'Content-Crs',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Reference system of the geometry in the body; by default CRS84',
}
const tagged = { ETag: { schema: { type: 'string' } } }
const bodyOf = (type: string) => ({ required: true, content: { [type]: { schema: { type: 'object' } } } })
const done = (description: string) => ({
  description,
  headers: tagged,
  content: { [GEOJSON_TYPE]: { schema: { type: 'object' } } },
})

/** The operations that write features of a collection, in OpenAPI 3.0. */
export function editOperations(id: CollectionId) {
  const { title } = collections[id]
  const write = (operationId: string, summary: string, type: string) => ({
    operationId: `${operationId}-${id}`,
    summary: `${summary}: ${title}`,
    security,
    parameters: [featureId, ifMatch, contentCrs, f],
    requestBody: bodyOf(type),
    responses: { '200': done('The feature as written'), ...failures(...WRITE_FAILURES, 404, 412, 507) },
  })
  const created = done('The feature as written')
  return {
    items: {
      post: {
        operationId: `create-${id}`,
        summary: `Create a feature: ${title}`,
        security,
        parameters: [contentCrs, f],
        requestBody: bodyOf(GEOJSON_TYPE),
        responses: {
          '201': { ...created, headers: { ...tagged, Location: { schema: { type: 'string', format: 'uri' } } } },
          ...failures(...WRITE_FAILURES, 507),
        },
      },
    },
    one: {
      put: write('replace', 'Replace a feature', GEOJSON_TYPE),
      patch: write('update', 'Update a feature', PATCH_TYPE),
      delete: {
        operationId: `delete-${id}`,
        summary: `Delete a feature: ${title}`,
        security,
        parameters: [featureId, ifMatch, f],
        responses: { '204': { description: 'Deleted' }, ...failures(...WRITE_FAILURES, 404, 412) },
      },
    },
  }
}
