import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { NO_FEATURES } from '../../map/base-style.ts'
import type { Colours } from '../../map/colours.ts'
import type { Fonts, Overlay } from '../../map/create-map.ts'
import { arrowIcon, pinIcon, ringIcon, tagIcons } from '../../map/icons.ts'

const empty: SourceSpecification = { type: 'geojson', data: NO_FEATURES }
const clustered: SourceSpecification = { ...empty, cluster: true, clusterRadius: 46, clusterMaxZoom: 15 }

/** Layers that answer a press, those on top first. */
export const PRESSABLE = ['gcps', 'inside', 'outside', 'scans', 'zone-lines', 'zone-names']
export const CLUSTERS = ['inside-clusters', 'outside-clusters', 'gcps-clusters']

/** What the map page draws: shape carries the class of a thing. */
export const overlay: Overlay = {
  sources: {
    ...{ mask: empty, radius: empty, zones: empty, draft: empty, scans: empty, conflicts: empty, heading: empty },
    ...{ inside: clustered, outside: clustered, gcps: clustered },
  },
  layers: (colours, fonts) => [
    // Under the names, which stay legible.
    {
      id: 'mask',
      type: 'fill',
      source: 'mask',
      metadata: { below: 'places' },
      paint: { 'fill-color': colours.canvas!, 'fill-opacity': 0.48 },
    },
    ...zoneLayers(colours, fonts),
    ...radiusLayers(colours),
    ...clusterLayers('outside', colours['ink-3']!, colours.surface!, fonts),
    ...clusterLayers('inside', colours.accent!, colours['on-accent']!, fonts),
    ...clusterLayers('gcps', colours['map-tag']!, colours['map-on-tag']!, fonts),
    ...spotLayers(colours, fonts),
    ...conflictLayers(colours, fonts),
  ],
  icons: (colours) => ({
    'pin-inside': pinIcon(colours.accent!, colours['map-on-tag']!),
    'pin-outside': pinIcon(colours['ink-3']!, colours['map-on-tag']!),
    scan: ringIcon(colours.accent!, colours['map-on-tag']!),
    heading: arrowIcon(colours.marker!, colours['map-on-tag']!),
    ...tagIcons(colours['map-tag']!, colours['map-on-tag']!, colours['map-on-tag']!),
  }),
}

const zoneLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] => [
  {
    id: 'zone-lines',
    type: 'line',
    source: 'zones',
    paint: {
      'line-color': colours.note!,
      'line-width': ['case', ['get', 'isChosen'], 3, 1.75],
      'line-dasharray': [4, 3],
    },
  },
  {
    id: 'zone-names',
    type: 'symbol',
    source: 'zones',
    minzoom: 8,
    layout: {
      'symbol-placement': 'line',
      'text-field': ['get', 'title'],
      'text-font': fonts.plain,
      'text-size': 12,
      'text-offset': [0, 0.9],
      'symbol-spacing': 400,
    },
    paint: { 'text-color': colours.note!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 1.5 },
  },
  {
    id: 'draft-fill',
    type: 'fill',
    source: 'draft',
    paint: { 'fill-color': colours.note!, 'fill-opacity': 0.12 },
  },
  {
    id: 'draft-line',
    type: 'line',
    source: 'draft',
    paint: { 'line-color': colours.note!, 'line-width': 2.5 },
  },
]

const radiusLayers = (colours: Colours): LayerSpecification[] => [
  {
    id: 'radius',
    type: 'line',
    source: 'radius',
    filter: ['==', ['get', 'part'], 'circle'],
    paint: { 'line-color': colours.accent!, 'line-width': 2 },
  },
  {
    id: 'spoke',
    type: 'line',
    source: 'radius',
    filter: ['==', ['get', 'part'], 'spoke'],
    paint: { 'line-color': colours.accent!, 'line-width': 1.5, 'line-dasharray': [2, 2.6] },
  },
  {
    id: 'centre',
    type: 'circle',
    source: 'radius',
    filter: ['==', ['get', 'part'], 'centre'],
    paint: {
      'circle-radius': 7,
      'circle-color': colours.marker!,
      'circle-stroke-color': colours['map-on-tag']!,
      'circle-stroke-width': 2,
    },
  },
]

const clusterLayers = (source: string, fill: string, ink: string, fonts: Fonts): LayerSpecification[] => [
  {
    id: `${source}-clusters`,
    type: 'circle',
    source,
    filter: ['has', 'point_count'],
    paint: {
      'circle-color': fill,
      'circle-radius': ['step', ['get', 'point_count'], 14, 100, 18, 1000, 22, 10_000, 26],
      'circle-stroke-color': ink,
      'circle-stroke-width': 2,
    },
  },
  {
    id: `${source}-counts`,
    type: 'symbol',
    source,
    filter: ['has', 'point_count'],
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-font': fonts.bold,
      'text-size': 12,
      'text-allow-overlap': true,
    },
    paint: { 'text-color': ink },
  },
]

const spotLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] => [
  ...['outside', 'inside'].map(
    (source): LayerSpecification => ({
      id: source,
      type: 'symbol',
      source,
      filter: ['!', ['has', 'point_count']],
      layout: { 'icon-image': `pin-${source}`, 'icon-anchor': 'bottom', 'icon-allow-overlap': true },
    }),
  ),
  {
    id: 'scans',
    type: 'symbol',
    source: 'scans',
    layout: { 'icon-image': 'scan', 'icon-allow-overlap': true },
  },
  {
    id: 'gcps',
    type: 'symbol',
    source: 'gcps',
    filter: ['!', ['has', 'point_count']],
    layout: { 'icon-image': ['concat', 'tag-', ['get', 'tag']], 'icon-allow-overlap': true },
  },
  {
    id: 'heading',
    type: 'symbol',
    source: 'heading',
    layout: {
      'icon-image': 'heading',
      // Yaw is counted from east, counter-clockwise; pictures are turned clockwise, from north.
      'icon-rotate': ['-', 90, ['get', 'yaw']],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
  },
  {
    id: 'names',
    type: 'symbol',
    source: 'inside',
    minzoom: 15,
    filter: ['!', ['has', 'point_count']],
    layout: {
      'text-field': ['get', 'title'],
      'text-font': fonts.plain,
      'text-size': 12,
      'text-anchor': 'top',
      'text-offset': [0, 0.3],
      'text-optional': true,
    },
    paint: { 'text-color': colours.ink!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 1.5 },
  },
]

const conflictLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] => [
  {
    id: 'conflict-lines',
    type: 'line',
    source: 'conflicts',
    filter: ['==', ['geometry-type'], 'LineString'],
    paint: { 'line-color': colours.err!, 'line-width': 2.5 },
  },
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
      'text-offset': [0, -2.4],
      'text-allow-overlap': true,
    },
    paint: { 'text-color': colours.err!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 3 },
  },
]
