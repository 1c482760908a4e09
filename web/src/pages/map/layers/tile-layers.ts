import type { FilterSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts } from '../../../map/create-map.ts'
import { clusterLayers } from './spot-layers.ts'

/** A collection that is drawn from tiles where a view has too many of its features to load. */
export type TiledCollection = 'pins' | 'gcps'
export const TILED: TiledCollection[] = ['pins', 'gcps']
const MAX_TILE_ZOOM = 22

export const tileSourceOf = (collection: TiledCollection) => `${collection}-tiles`
/** The layer of single features. */
export const tileLayerOf = (collection: TiledCollection) => `${collection}-tiles-single`
export const tileClustersOf = (collection: TiledCollection) => `${tileSourceOf(collection)}-clusters`
/** All layers of a collection's tiles. */
export const tileLayersOf = (collection: TiledCollection) =>
  ['clusters', 'counts', 'single', 'names'].map((part) => `${tileSourceOf(collection)}-${part}`)

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

/** Clusters and single features of tiles, hidden at first. They look like those that are loaded. */
export const tileLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] =>
  TILED.flatMap((collection) => {
    const source = tileSourceOf(collection)
    const [fill, ink] =
      collection === 'pins' ? [colours.accent!, colours['on-accent']!] : [colours['map-tag']!, colours['map-on-tag']!]
    const single: LayerSpecification = {
      id: tileLayerOf(collection),
      type: 'symbol',
      source,
      filter: singleFilter(collection, []),
      layout:
        collection === 'pins'
          ? { 'icon-image': 'pin-inside', 'icon-anchor': 'bottom', 'icon-allow-overlap': true }
          : {
              'icon-image': ['concat', 'tag-', ['to-string', ['coalesce', ['get', 'aprilTagId'], 'none']]],
              'icon-allow-overlap': true,
            },
    }
    const names: LayerSpecification = {
      id: `${source}-names`,
      type: 'symbol',
      source,
      minzoom: 15,
      filter: singleFilter(collection, []),
      layout: {
        'text-field': ['get', 'title'],
        'text-font': fonts.plain,
        'text-size': 12,
        'text-anchor': 'top',
        'text-offset': [0, collection === 'pins' ? 0.3 : 1.3],
        'text-optional': true,
      },
      paint: { 'text-color': colours.ink!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 1.5 },
    }
    return [...clusterLayers(source, fill, ink, fonts), single, names].map(
      (layer) =>
        ({
          ...layer,
          'source-layer': collection,
          layout: { ...layer.layout, visibility: 'none' },
        }) as LayerSpecification,
    )
  })

/** Single features but those that are hidden. A pin of a control point is drawn as the control point. */
export const singleFilter = (collection: TiledCollection, hidden: number[]): FilterSpecification => [
  'all',
  ['!', ['has', 'point_count']],
  ['!', ['in', ['id'], ['literal', hidden]]],
  collection === 'pins' ? ['!', ['has', 'gcpId']] : true,
]
