import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import { RADII } from './clusters.ts'
import type { TiledCollection } from './spot.ts'

export const TILED: TiledCollection[] = ['pins', 'gcps']
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

/** A state of the map that is true once the places of tiles are drawn with what is loaded. */
export const ARE_SPOTS_DRAWN = 'are-spots-drawn'
const COUNT: ExpressionSpecification = ['coalesce', ['get', 'point_count'], 1]
const IS_CLUSTER: ExpressionSpecification = ['>', COUNT, 1]
const [[, smallest], ...larger] = RADII
const CLUSTER_RADIUS = ['step', COUNT, smallest, ...larger.flat()] as unknown as ExpressionSpecification

/**
 * Layers that make the map load tiles: what these have is drawn with what is loaded. Until it is, they draw discs, for which
 * the map needs neither icons nor glyphs.
 */
export const tileLayers = (colours: Colours): LayerSpecification[] =>
  TILED.map((collection) => {
    const colour = collection === 'gcps' ? colours['map-tag']! : colours.accent!
    const opacity: ExpressionSpecification = ['case', ['==', ['global-state', ARE_SPOTS_DRAWN], true], 0, 1]
    return {
      id: tileSourceOf(collection),
      type: 'circle',
      source: tileSourceOf(collection),
      'source-layer': collection,
      paint: {
        'circle-radius': ['case', IS_CLUSTER, CLUSTER_RADIUS, 5],
        'circle-color': ['case', IS_CLUSTER, colours.surface!, colour],
        'circle-stroke-color': colour,
        'circle-stroke-width': ['case', IS_CLUSTER, 4, 0],
        'circle-opacity': opacity,
        'circle-stroke-opacity': opacity,
      },
    }
  })
