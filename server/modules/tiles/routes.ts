import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { notFound } from '../../platform/errors.ts'
import { conditionsOf, quoteTag, ReadConditions } from '../../platform/http/conditions.ts'
import { inForms, needs } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { CLUSTER_BELOW, MAX_POINTS, tileCollectionIds, tileCollections } from './collections.ts'
import type { TileDocuments } from './documents/documents.ts'
import {
  MAX_ZOOM,
  MVT_TYPE,
  TileDocumentQuery,
  TileJson,
  TileMatrixSet,
  TileMatrixSets,
  TilePath,
  TileQuery,
  TileSet,
  TileSets,
  WEB_MERCATOR,
} from './schema.ts'
import type { TileService } from './service.ts'

const tags = ['OGC API Tiles']

type Deps = { service: TileService; documents: TileDocuments; guards: Guards }

/** OGC API Tiles: mounted under /ogc. Who reads the features of a collection reads its tiles. */
export const tileRoutes =
  ({ service, documents, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const document = (operationId: string, summary: string, response: z.ZodType, description?: string) => ({
      tags,
      operationId,
      summary,
      ...(description && { description }),
      querystring: TileDocumentQuery,
      response: { 200: response },
    })

    app.get(
      '/tileMatrixSets',
      { schema: document('listTileMatrixSets', 'List the tile matrix sets', TileMatrixSets) },
      async () => documents.tileMatrixSets(),
    )
    app.get(
      `/tileMatrixSets/${WEB_MERCATOR}`,
      { schema: document('getTileMatrixSet', 'Get the tile matrix set of web maps', TileMatrixSet) },
      async () => documents.tileMatrixSet(),
    )

    for (const id of tileCollectionIds) {
      const { title, isOpen, dimension } = tileCollections[id]
      const name = id[0]!.toUpperCase() + id.slice(1)
      const path = `/collections/${id}/tiles`

      app.get(path, { schema: document(`list${name}TileSets`, `List the tile sets: ${title}`, TileSets) }, async () =>
        documents.tileSets(id),
      )
      app.get(
        `${path}/${WEB_MERCATOR}`,
        { schema: document(`get${name}TileSet`, `Get the tile set: ${title}`, TileSet) },
        async () => documents.tileSet(id),
      )
      app.get(
        `${path}/${WEB_MERCATOR}/tilejson`,
        {
          schema: document(
            `get${name}TileJson`,
            `Get the TileJSON: ${title}`,
            TileJson,
            'Enter this address as a vector source in MapLibre and other map libraries.',
          ),
        },
        async () => documents.tileJson(id),
      )

      const points = `Below zoom level ${CLUSTER_BELOW}, and where a tile has more than ${MAX_POINTS} points, points close to each other are a cluster with their number in \`point_count\`; a cluster is drawn at one of its points. Points beyond 85.05° of latitude are in no tile.`
      const areas =
        'Boundaries are simplified to what can be seen. A tile has the 1,000 largest zones, up to 200,000 positions of their boundaries; zones of less than half a pixel are boxes.'
      app.get(
        `${path}/${WEB_MERCATOR}/:tileMatrix/:tileRow/:tileCol`,
        {
          config: isOpen ? {} : { clientKey: true },
          ...(isOpen ? {} : { onRequest: guards.app }),
          schema: {
            tags,
            ...(isOpen ? {} : { security: needs.appKey }),
            operationId: `get${name}Tile`,
            summary: `Get a vector tile: ${title}`,
            description: `A Mapbox Vector Tile with the layer \`${id}\`; 204 if nothing is in it. ${dimension === 0 ? points : areas} The tile has every change that this process has received from the change feed.`,
            params: TilePath,
            querystring: TileQuery,
            headers: ReadConditions,
            response: {
              200: inForms('The tile', { [MVT_TYPE]: z.unknown().meta({ type: 'string', format: 'binary' }) }),
              204: z.null().describe('Nothing is in the tile'),
              304: z.null().describe('The caller has the current tile'),
              404: ErrorBody,
            },
          },
        },
        async (request, reply) => {
          const { tileMatrix, tileRow, tileCol } = request.params
          if (tileMatrix > MAX_ZOOM || Math.max(tileRow, tileCol) >= 2 ** tileMatrix) throw notFound('Tile')
          const at = { z: tileMatrix, x: tileCol, y: tileRow }
          const { bytes, tag } = await service.tile(id, at, addressBlock(request.ip))
          reply.headers({ etag: quoteTag(tag), 'cache-control': `${isOpen ? 'public' : 'private'}, no-cache` })
          const { ifNoneMatch } = conditionsOf(request)
          if (ifNoneMatch === '*' || ifNoneMatch?.includes(tag)) return reply.code(304).send(null as never)
          if (bytes.length === 0) return reply.code(204).send(null as never)
          return reply.type(MVT_TYPE).send(bytes as never)
        },
      )
    }
  }
