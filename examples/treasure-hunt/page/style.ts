import type { Zone } from '@cairn/sdk'
import type { StyleSpecification } from 'maplibre-gl'
import { decoration } from './decoration.ts'

export type Palette = Record<'paper' | 'grid' | 'park' | 'edge' | 'path' | 'water' | 'tree' | 'reach', string>

const LIGHT: Palette = {
  paper: '#efe6d2',
  grid: '#ddd0b4',
  park: '#d3dcb0',
  edge: '#7d8b52',
  path: '#f4ecd9',
  water: '#a9cbd0',
  tree: '#b4c489',
  reach: '#b4432c',
}
const DARK: Palette = {
  paper: '#14191c',
  grid: '#20282b',
  park: '#1d2f2a',
  edge: '#56795f',
  path: '#3a5247',
  water: '#1b3d4d',
  tree: '#2c4a3d',
  reach: '#ff8f6b',
}

export const palette = (): Palette => (matchMedia('(prefers-color-scheme: dark)').matches ? DARK : LIGHT)

/** An offline map style: paper with a graticule, the zone and hand-drawn decoration. */
export function parkStyle(zone: Zone, colours: Palette): StyleSpecification {
  const feature = (geometry: GeoJSON.Geometry) => ({ type: 'Feature' as const, properties: {}, geometry })
  const source = (data: GeoJSON.GeoJSON) => ({ type: 'geojson' as const, data })
  const park = zone.boundary ? [feature(zone.boundary as GeoJSON.Geometry)] : []
  return {
    version: 8,
    sources: {
      graticule: source(feature({ type: 'MultiLineString', coordinates: graticule() })),
      park: source({ type: 'FeatureCollection', features: park }),
      decoration: source(decoration),
    },
    layers: [
      { id: 'paper', type: 'background', paint: { 'background-color': colours.paper } },
      { id: 'graticule', type: 'line', source: 'graticule', paint: { 'line-color': colours.grid, 'line-width': 1 } },
      { id: 'park', type: 'fill', source: 'park', paint: { 'fill-color': colours.park } },
      {
        id: 'trees',
        type: 'circle',
        source: 'decoration',
        filter: ['==', ['get', 'kind'], 'tree'],
        paint: {
          'circle-color': colours.tree,
          'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 13, 1.5, 18, 34],
        },
      },
      {
        id: 'water',
        type: 'fill',
        source: 'decoration',
        filter: ['==', ['get', 'kind'], 'water'],
        paint: { 'fill-color': colours.water },
      },
      {
        id: 'paths',
        type: 'line',
        source: 'decoration',
        filter: ['==', ['get', 'kind'], 'path'],
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: {
          'line-color': colours.path,
          'line-width': ['interpolate', ['exponential', 2], ['zoom'], 13, 1.5, 18, 22],
        },
      },
      {
        id: 'edge',
        type: 'line',
        source: 'park',
        paint: { 'line-color': colours.edge, 'line-width': 2, 'line-dasharray': [3, 2] },
      },
    ],
  }
}

const line = (west: number, south: number, east: number, north: number): [number, number][] => [
  [west, south],
  [east, north],
]

/** A graticule of 0.001° around the demo's park. */
function graticule(): [number, number][][] {
  const lines: [number, number][][] = []
  for (let i = -40; i <= 40; i++) {
    const [lon, lat] = [i / 1000, 51.477 + i / 1000]
    lines.push(line(lon, 51.437, lon, 51.517), line(-0.04, lat, 0.04, lat))
  }
  return lines
}
