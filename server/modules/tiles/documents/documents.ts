import { type TileCollection, tileCollections } from '../collections.ts'
import { MAX_LATITUDE } from '../points/mercator.ts'
import { MAX_ZOOM, MVT_TYPE, WEB_MERCATOR } from '../schema.ts'
import { TILE_MATRIX_SET_URI, WEB_MERCATOR_CRS, webMercatorQuad } from './tile-matrix-set.ts'

const JSON_TYPE = 'application/json'
const SCHEME = 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme'

export type TileDocuments = ReturnType<typeof tileDocuments>

/** The documents that lead a client to tiles (OGC API – Tiles part 1, 20-057; TileJSON 3.0). @param base the address of /ogc */
export function tileDocuments(base: () => string) {
  const link = (rel: string, path: string, type: string, more: { title: string; templated?: boolean }) => ({
    href: base() + path,
    rel,
    type,
    ...more,
  })
  const pathOf = (id: TileCollection) => `/collections/${id}/tiles`
  const tilesOf = (id: TileCollection) => `${pathOf(id)}/${WEB_MERCATOR}/{tileMatrix}/{tileRow}/{tileCol}`

  const layerOf = (id: TileCollection) => {
    const { description, dimension, fields } = tileCollections[id]
    const isPoint = dimension === 0
    return { id, description, fields: { ...fields, ...(isPoint && CLUSTER_FIELDS) }, minzoom: 0, maxzoom: MAX_ZOOM }
  }

  const tileSet = (id: TileCollection) => {
    const { title, dimension } = tileCollections[id]
    const path = `${pathOf(id)}/${WEB_MERCATOR}`
    return {
      title,
      dataType: 'vector' as const,
      crs: WEB_MERCATOR_CRS,
      tileMatrixSetURI: TILE_MATRIX_SET_URI,
      layers: [{ id, dataType: 'vector', geometryDimension: dimension }],
      links: [
        link('self', path, JSON_TYPE, { title }),
        link(SCHEME, `/tileMatrixSets/${WEB_MERCATOR}`, JSON_TYPE, { title: WEB_MERCATOR }),
        link('describedby', `${path}/tilejson`, JSON_TYPE, { title: 'TileJSON' }),
        link('item', tilesOf(id), MVT_TYPE, { title: 'Tiles', templated: true }),
      ],
    }
  }

  return {
    tileSet,
    tileSets: (id: TileCollection) => ({
      links: [link('self', pathOf(id), JSON_TYPE, { title: tileCollections[id].title })],
      tilesets: [tileSet(id)],
    }),
    tileMatrixSets: () => ({
      tileMatrixSets: [
        {
          id: WEB_MERCATOR,
          title: webMercatorQuad().title,
          uri: TILE_MATRIX_SET_URI,
          links: [link('self', `/tileMatrixSets/${WEB_MERCATOR}`, JSON_TYPE, { title: WEB_MERCATOR })],
        },
      ],
    }),
    tileMatrixSet: webMercatorQuad,
    tileJson: (id: TileCollection) => ({
      tilejson: '3.0.0',
      name: tileCollections[id].title,
      scheme: 'xyz',
      tiles: [`${base()}${pathOf(id)}/${WEB_MERCATOR}/{z}/{y}/{x}`],
      minzoom: 0,
      maxzoom: MAX_ZOOM,
      bounds: [-180, -MAX_LATITUDE, 180, MAX_LATITUDE],
      vector_layers: [layerOf(id)],
    }),
  }
}

const CLUSTER_FIELDS = {
  cluster: 'true for a cluster, which has no other property of a feature',
  point_count: 'The number of features in a cluster',
  point_count_abbreviated: 'That number in a few characters',
  expansion_zoom: 'A zoom level at which the cluster may fall apart',
}
