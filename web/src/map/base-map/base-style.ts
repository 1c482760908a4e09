import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { Colours } from '../colours.ts'

export const NO_FEATURES = { type: 'FeatureCollection' as const, features: [] }
/** Without a glyphs URL, MapLibre draws text in the page's fonts. The first name sets the weight. */
export const FONT = ['IBM Plex Sans Variable', 'sans-serif']
export const FONT_BOLD = ['IBM Plex Sans Variable SemiBold', 'IBM Plex Sans Variable', 'sans-serif']

/** From this zoom level on, a grid replaces streets. */
export const GRID_ZOOM = 6

/** The bundled map: land, borders, place names and a metric grid. The sources are filled later. */
export const baseStyle = (colours: Colours): StyleSpecification => ({
  version: 8,
  sources: {
    land: { type: 'geojson', data: NO_FEATURES, tolerance: 0.2, attribution: 'Natural Earth' },
    borders: { type: 'geojson', data: NO_FEATURES, tolerance: 0.2 },
    places: { type: 'geojson', data: NO_FEATURES, attribution: '© GeoNames' },
    grid: { type: 'geojson', data: NO_FEATURES, tolerance: 0, buffer: 16 },
    'grid-labels': { type: 'geojson', data: NO_FEATURES },
  },
  layers: baseLayers(colours),
})

/** The layers of the bundled map in the given colours. */
export const baseLayers = (colours: Colours): LayerSpecification[] => [
  // Until the land is drawn, the ground is land: what is not known to be sea is not shown as sea.
  { id: 'ground', type: 'background', paint: { 'background-color': colours['map-land'] } },
  {
    id: 'sea',
    type: 'fill',
    source: 'land',
    filter: ['==', ['get', 'part'], 'sea'],
    paint: { 'fill-color': colours['map-water'], 'fill-antialias': false },
  },
  {
    id: 'land',
    type: 'fill',
    source: 'land',
    filter: ['!=', ['get', 'part'], 'sea'],
    paint: { 'fill-color': colours['map-land'] },
  },
  {
    id: 'borders',
    type: 'line',
    source: 'borders',
    paint: { 'line-color': colours['line-strong'], 'line-width': 0.8, 'line-opacity': 0.6, 'line-dasharray': [4, 3] },
  },
  {
    id: 'grid',
    type: 'line',
    source: 'grid',
    minzoom: GRID_ZOOM,
    paint: {
      'line-color': colours['line-strong'],
      'line-width': ['case', ['get', 'isMain'], 1, 0.6],
      'line-opacity': ['case', ['get', 'isMain'], 0.75, 0.45],
    },
  },
  {
    id: 'places',
    type: 'symbol',
    source: 'places',
    maxzoom: 11,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': FONT,
      'text-size': ['interpolate', ['linear'], ['zoom'], 2, 11, 7, 13],
      'symbol-sort-key': ['get', 'rank'],
      'text-max-width': 8,
      'text-padding': 6,
    },
    paint: { 'text-color': colours['map-label'], 'text-halo-color': colours['map-halo'], 'text-halo-width': 1.5 },
  },
  {
    id: 'grid-labels',
    type: 'symbol',
    source: 'grid-labels',
    minzoom: GRID_ZOOM,
    layout: {
      'text-field': ['get', 'label'],
      'text-font': FONT,
      'text-size': 11,
      'text-anchor': ['get', 'anchor'],
      'text-offset': ['get', 'offset'],
      'text-allow-overlap': false,
    },
    paint: { 'text-color': colours['map-label'], 'text-halo-color': colours['map-halo'], 'text-halo-width': 1.5 },
  },
]
