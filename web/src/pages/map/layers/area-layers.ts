import type { LayerSpecification, VariableAnchorOffsetCollectionSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts } from '../../../map/create-map.ts'

/** The ground of zones, below the place names. */
export const zoneFill = (colours: Colours): LayerSpecification => ({
  id: 'zone-fill',
  type: 'fill',
  source: 'zones',
  metadata: { below: 'texts' },
  paint: { 'fill-color': colours.note!, 'fill-opacity': ['case', ['get', 'isSelected'], 0.18, 0.1] },
})

/** Where a name is tried, nearest first: anchors with their offsets in ems. */
const NEAR_THE_MIDDLE: VariableAnchorOffsetCollectionSpecification = [
  ...['center', [0, 0], 'top', [0, 0.8], 'bottom', [0, -0.8], 'left', [1.5, 0], 'right', [-1.5, 0]],
  ...['top', [0, 2], 'bottom', [0, -2], 'top-left', [1, 1], 'bottom-right', [-1, -1]],
  ...['top', [0, 3.5], 'bottom', [0, -3.5]],
] as VariableAnchorOffsetCollectionSpecification

/** Names in the middle of zones, or as near to it as the icons leave room. */
export const zoneNames = (colours: Colours, fonts: Fonts): LayerSpecification => ({
  id: 'zone-names',
  type: 'symbol',
  source: 'zone-names',
  minzoom: 8,
  layout: {
    'text-field': ['get', 'title'],
    'text-font': fonts.bold,
    'text-size': 12,
    'text-max-width': 10,
    'text-padding': 0,
    'text-variable-anchor-offset': NEAR_THE_MIDDLE,
    'text-justify': 'auto',
  },
  paint: { 'text-color': colours.note!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 1.5 },
})

/** Zones as violet dashes, and the edited zone. Its active ring is thicker. */
export const zoneLayers = (colours: Colours): LayerSpecification[] => [
  {
    id: 'zone-lines',
    type: 'line',
    source: 'zones',
    paint: {
      'line-color': colours.note!,
      'line-width': ['case', ['get', 'isSelected'], 3, 1.75],
      'line-dasharray': [4, 3],
    },
  },
  {
    id: 'draft-fill',
    type: 'fill',
    source: 'draft',
    filter: ['==', ['get', 'part'], 'areas'],
    paint: { 'fill-color': colours.note!, 'fill-opacity': 0.12 },
  },
  {
    id: 'draft-line',
    type: 'line',
    source: 'draft',
    filter: ['==', ['get', 'part'], 'ring'],
    paint: { 'line-color': colours.note!, 'line-width': ['case', ['get', 'isActive'], 3, 1.5] },
  },
]

/** What models stand on. */
export const footprintLayers = (colours: Colours): LayerSpecification[] => [
  {
    id: 'footprint-fill',
    type: 'fill',
    source: 'footprints',
    paint: { 'fill-color': colours.accent!, 'fill-opacity': 0.12 },
  },
  {
    id: 'footprint-line',
    type: 'line',
    source: 'footprints',
    paint: { 'line-color': colours.accent!, 'line-width': 1.5 },
  },
]

/** The search circle. */
export const radiusLayers = (colours: Colours): LayerSpecification[] => [
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
