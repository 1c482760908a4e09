import { MVT_TYPE, WEB_MERCATOR } from '../../tiles/schema.ts'
import { type CollectionId, collections } from '../schema.ts'
import { failures, READ_FAILURES } from './failures.ts'
import { JSON_TYPE } from './media-types.ts'

const cell = (name: string, schema: object, description: string) => ({
  name,
  in: 'path',
  required: true,
  schema,
  description,
})
const index = { type: 'integer', minimum: 0 }
const CELL = [
  cell('tileMatrix', { type: 'string' }, 'Zoom level: the identifier of a tile matrix'),
  cell('tileRow', index, 'Row of the tile, from the north'),
  cell('tileCol', index, 'Column of the tile, from the west'),
]

const form = (only: string) => ({
  name: 'f',
  in: 'query',
  schema: { type: 'string', enum: [only] },
  description: 'The format',
})

const read = (operationId: string, summary: string) => ({
  get: {
    operationId,
    summary,
    parameters: [form('json')],
    responses: {
      '200': { description: 'The document', content: { [JSON_TYPE]: { schema: { type: 'object' } } } },
      ...failures(...READ_FAILURES),
    },
  },
})

/** The operations of the tile matrix sets (OGC API Tiles part 1), in OpenAPI 3.0. */
export const tileMatrixSetOperations = () => ({
  '/tileMatrixSets': read('tile-matrix-sets', 'List the tile matrix sets'),
  [`/tileMatrixSets/${WEB_MERCATOR}`]: read('tile-matrix-set', 'Get the tile matrix set of web maps'),
})

/** The operations that read the tiles of a collection, in OpenAPI 3.0. */
export function tileOperations(id: CollectionId) {
  const { title } = collections[id]
  const tiles = `/collections/${id}/tiles`
  return {
    [tiles]: read(`tile-sets-${id}`, `List the tile sets: ${title}`),
    [`${tiles}/${WEB_MERCATOR}`]: read(`tile-set-${id}`, `Get the tile set: ${title}`),
    [`${tiles}/${WEB_MERCATOR}/tilejson`]: read(`tilejson-${id}`, `Get the TileJSON: ${title}`),
    [`${tiles}/${WEB_MERCATOR}/{tileMatrix}/{tileRow}/{tileCol}`]: {
      get: {
        operationId: `tile-${id}`,
        summary: `Get a vector tile: ${title}`,
        parameters: [...CELL, form('mvt')],
        responses: {
          '200': { description: 'The tile', content: { [MVT_TYPE]: { schema: { type: 'string', format: 'binary' } } } },
          '204': { description: 'Nothing is in the tile' },
          '304': { description: 'The ETag is current' },
          ...failures(...READ_FAILURES, 404),
        },
      },
    },
  }
}
