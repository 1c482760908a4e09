import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { NO_FEATURES } from '../../../map/base-map/base-style.ts'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts, Overlay } from '../../../map/create-map.ts'
import { arrowIcon, pinIcon, ringIcon, tagIcons } from '../../../map/icons.ts'
import { heatLayer, visitCounts } from '../visits/heat-layers.ts'
import { footprintLayers, radiusLayers, zoneFill, zoneLayers, zoneNames } from './area-layers.ts'
import { clusterIconNamed, clusterProperties } from './clusters.ts'
import { clusterLayer, headingLayer, nameLayer, spotLayers } from './spot-layers.ts'
import { TILED, tileLayers, tileSourceOf, tileSources } from './tile-layers.ts'

const empty: SourceSpecification = { type: 'geojson', data: NO_FEATURES }
/** Keeps every vertex of circles. */
const round: SourceSpecification = { ...empty, tolerance: 0 }
const clustered: SourceSpecification = {
  ...empty,
  ...{ cluster: true, clusterRadius: 52, clusterMaxZoom: 15, clusterProperties },
}

/** Clickable layers, topmost first. */
export const CLICKABLE = ['gcps', 'pins', 'scans', 'zone-lines', 'zone-names']
export const CLUSTERS = ['clusters']

/** The sources, layers and icons of the map page. */
export const overlay: Overlay = {
  sources: {
    ...{
      mask: round,
      radius: round,
      zones: empty,
      'zone-names': empty,
      draft: empty,
      conflicts: empty,
      heading: empty,
      visits: empty,
      footprints: round,
    },
    spots: clustered,
    ...tileSources(),
  },
  shown: [{ source: 'spots' }, ...TILED.map((id) => ({ source: tileSourceOf(id), sourceLayer: id }))],
  layers: (colours, fonts) => [
    // Below the place names, which stay legible.
    zoneFill(colours),
    heatLayer(colours),
    {
      id: 'mask',
      type: 'fill',
      source: 'mask',
      metadata: { below: 'texts' },
      paint: { 'fill-color': colours.canvas!, 'fill-opacity': 0.48 },
    },
    ...zoneLayers(colours),
    ...radiusLayers(colours),
    ...tileLayers(colours),
    ...footprintLayers(colours),
    nameLayer(colours, fonts),
    zoneNames(colours, fonts),
    clusterLayer(colours, fonts),
    // Below the tags, which stay legible.
    conflictLine(colours),
    ...spotLayers(),
    headingLayer,
    visitCounts(colours, fonts),
    ...conflictLayers(colours, fonts),
  ],
  icons: (colours) => ({
    'pin-inside': pinIcon(colours.accent!, colours['map-on-tag']!),
    'pin-outside': pinIcon(colours['ink-3']!, colours['map-on-tag']!),
    scan: ringIcon(colours.accent!, colours['map-on-tag']!),
    heading: arrowIcon(colours.marker!, colours['map-on-tag']!),
    ...tagIcons(colours['map-tag']!, colours['map-on-tag']!, colours['map-on-tag']!),
  }),
  iconNamed: clusterIconNamed,
}

const conflictLine = (colours: Colours): LayerSpecification => ({
  id: 'conflict-lines',
  type: 'line',
  source: 'conflicts',
  filter: ['==', ['geometry-type'], 'LineString'],
  paint: { 'line-color': colours.err!, 'line-width': 2.5 },
})

const conflictLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] => [
  {
    id: 'conflict-rings',
    type: 'circle',
    source: 'conflicts',
    filter: ['==', ['get', 'part'], 'ring'],
    paint: {
      'circle-radius': 19,
      'circle-opacity': 0,
      'circle-stroke-color': colours.err!,
      'circle-stroke-width': 3,
    },
  },
  {
    id: 'conflict-distances',
    type: 'symbol',
    source: 'conflicts',
    filter: ['==', ['get', 'part'], 'middle'],
    layout: {
      'text-field': ['get', 'label'],
      'text-font': fonts.bold,
      'text-size': 12,
      'text-anchor': 'left',
      'text-offset': [1, 0],
      'text-allow-overlap': true,
    },
    paint: { 'text-color': colours.err!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 3 },
  },
]
