import type { LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts } from '../../../map/create-map.ts'

/** Zones as violet dashes, and the edited zone. Its active ring is thicker. */
export const zoneLayers = (colours: Colours, fonts: Fonts): LayerSpecification[] => [
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
