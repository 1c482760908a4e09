import type { LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts } from '../../../map/create-map.ts'

/** Clusters, as circles with a count. */
export const clusterLayers = (source: string, fill: string, ink: string, fonts: Fonts): LayerSpecification[] => [
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

/** Pins as drops, control points as squares with their tag, scans as rings. */
export const spotLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] => [
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
      // Yaw is counter-clockwise from east; icon rotation is clockwise from north.
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
