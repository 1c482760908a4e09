import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { TiledCollection } from './spot.ts'

const TILED: TiledCollection[] = ['pins', 'gcps']
const MAX_TILE_ZOOM = 22

export const tileSourceOf = (collection: TiledCollection) => `${collection}-tiles`

/** Sources without a visible layer load nothing. */
export const tileSources = (): Record<string, SourceSpecification> =>
  Object.fromEntries(
    TILED.map((collection) => [
      tileSourceOf(collection),
      {
        type: 'vector',
        tiles: [`${window.location.origin}/ogc/collections/${collection}/tiles/WebMercatorQuad/{z}/{y}/{x}`],
        maxzoom: MAX_TILE_ZOOM,
      },
    ]),
  )

/** Layers that make the map load tiles, and draw nothing: what tiles have is drawn with what is loaded. Hidden at first. */
export const tileLayers = (): LayerSpecification[] =>
  TILED.map((collection) => ({
    id: tileSourceOf(collection),
    type: 'circle',
    source: tileSourceOf(collection),
    'source-layer': collection,
    layout: { visibility: 'none' },
    paint: { 'circle-radius': 1, 'circle-opacity': 0 },
  }))
