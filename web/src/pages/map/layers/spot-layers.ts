import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts } from '../../../map/create-map.ts'
import { CLUSTER_ICON, COUNT, SHORT_COUNT } from './clusters.ts'

const isOne: ExpressionSpecification = ['==', COUNT, 1]
const isKind = (kind: string): FilterSpecification => ['all', isOne, ['==', ['get', 'kind'], kind]]

/** Pins as drops, control points as squares with their tag, scans as rings; several close to each other as one ring by kind. */
export const spotLayers = (): LayerSpecification[] => [
  {
    id: 'pins',
    type: 'symbol',
    source: 'spots',
    filter: isKind('pin'),
    layout: {
      'icon-image': ['case', ['has', 'outside'], 'pin-outside', 'pin-inside'],
      'icon-anchor': 'bottom',
      'icon-allow-overlap': true,
    },
  },
  {
    id: 'scans',
    type: 'symbol',
    source: 'spots',
    filter: isKind('scan'),
    layout: { 'icon-image': 'scan', 'icon-allow-overlap': true },
  },
  {
    id: 'gcps',
    type: 'symbol',
    source: 'spots',
    filter: isKind('gcp'),
    layout: { 'icon-image': ['concat', 'tag-', ['get', 'tag']], 'icon-allow-overlap': true },
  },
]

export const clusterLayer = (colours: Colours, fonts: Fonts): LayerSpecification => ({
  id: 'clusters',
  type: 'symbol',
  source: 'spots',
  filter: ['>', COUNT, 1],
  layout: {
    'icon-image': CLUSTER_ICON,
    'icon-allow-overlap': true,
    'icon-padding': 0,
    'text-field': SHORT_COUNT,
    'text-font': fonts.bold,
    'text-size': 12,
    'text-allow-overlap': true,
  },
  paint: { 'text-color': colours.ink! },
})

/** Names of single places. MapLibre places upper layers first: below the icons, a name gives way to all of them. */
export const nameLayer = (colours: Colours, fonts: Fonts): LayerSpecification => ({
  id: 'names',
  type: 'symbol',
  source: 'spots',
  minzoom: 15,
  filter: ['all', isOne, ['!', ['has', 'outside']]],
  layout: {
    'text-field': ['get', 'title'],
    'text-font': fonts.plain,
    'text-size': 12,
    'text-anchor': 'top',
    // Below the icon: that of a pin ends at its place.
    'text-offset': ['case', ['==', ['get', 'kind'], 'pin'], ['literal', [0, 0.5]], ['literal', [0, 1.5]]],
  },
  paint: { 'text-color': colours.ink!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 1.5 },
})

/** The direction of the selected place. */
export const headingLayer: LayerSpecification = {
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
}
