import type { FeatureCollection } from 'geojson'
import type { SourceSpecification } from 'maplibre-gl'
import { NO_FEATURES } from '../../../../map/base-map/base-style.ts'
import type { Overlay } from '../../../../map/create-map.ts'
import type { Place } from '../../../../map/geodesic.ts'
import { unwrapped } from './walk.ts'

const empty: SourceSpecification = { type: 'geojson', data: NO_FEATURES }

/** Fences with their names, and the path of the walk. */
export const simulatorOverlay: Overlay = {
  sources: { fences: { ...empty, tolerance: 0 }, path: empty },
  layers: (colours, fonts) => [
    {
      id: 'fences',
      type: 'fill',
      source: 'fences',
      metadata: { below: 'texts' },
      paint: { 'fill-color': colours.accent!, 'fill-opacity': 0.16 },
    },
    {
      id: 'fence-lines',
      type: 'line',
      source: 'fences',
      paint: { 'line-color': colours.accent!, 'line-width': 2 },
    },
    {
      id: 'path',
      type: 'line',
      source: 'path',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': colours.note!, 'line-width': 3, 'line-dasharray': [2, 1] },
    },
    {
      id: 'path-places',
      type: 'circle',
      source: 'path',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 6,
        'circle-color': colours.surface!,
        'circle-stroke-color': colours.note!,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'fence-names',
      type: 'symbol',
      source: 'fences',
      layout: { 'text-field': ['get', 'name'], 'text-font': fonts.bold, 'text-size': 12 },
      paint: { 'text-color': colours.ink!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 2 },
    },
  ],
}

/** A path as a line with its places. */
export function lineOf(path: Place[]): FeatureCollection {
  const coordinates = unwrapped(path).map(({ lat, lon }) => [lon, lat])
  return {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } },
      ...coordinates.map((place) => ({
        type: 'Feature' as const,
        properties: {},
        geometry: { type: 'Point' as const, coordinates: place },
      })),
    ],
  }
}
