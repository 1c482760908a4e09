import type { Feature } from 'geojson'
import type { LayerSpecification, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useMemo } from 'react'
import type { Colours } from '../../../map/colours.ts'
import type { Fonts } from '../../../map/create-map.ts'
import { useSource } from '../../../map/use-source.ts'
import { featureCollection } from '../layers/spots.ts'
import type { Visited } from './use-visits.ts'

/** Where the counts become legible beside the places. */
const COUNTED_FROM = 12

/** The heat of visits, below the place names. Hidden without visits: it draws over the whole map even if it has none. */
export const heatLayer = (colours: Colours): LayerSpecification => ({
  id: 'visits-heat',
  type: 'heatmap',
  source: 'visits',
  metadata: { below: 'texts' },
  layout: { visibility: 'none' },
  paint: {
    'heatmap-weight': ['get', 'weight'],
    'heatmap-intensity': ['interpolate', ['linear'], ['zoom'], 2, 0.8, 16, 1.4],
    'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 2, 16, 10, 36, 16, 80, 20, 160],
    'heatmap-opacity': 0.85,
    'heatmap-color': [
      ...['interpolate', ['linear'], ['heatmap-density']],
      ...[0, `${colours.warn}00`, 0.15, `${colours.warn}40`, 0.5, `${colours.warn}90`, 1, `${colours.warn}e6`],
    ] as never,
  },
})

/** The name and the number of visits below each place. */
export const visitCounts = (colours: Colours, fonts: Fonts): LayerSpecification => ({
  id: 'visits-counts',
  type: 'symbol',
  source: 'visits',
  minzoom: COUNTED_FROM,
  layout: {
    'text-field': ['get', 'label'],
    'text-font': fonts.bold,
    'text-size': 12,
    'text-anchor': 'top',
    'text-max-width': 12,
    'text-offset': [0, 1],
  },
  paint: { 'text-color': colours.warn!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 2 },
})

/** Draws visits on the map. A place with a quarter of the visits is half as warm, so that quiet places are seen too. @param label the words for a number of visits */
export function useHeat(map: MapLibre | null, visited: Visited[] | undefined, label: (visits: number) => string) {
  const data = useMemo(() => {
    const most = Math.max(1, ...(visited ?? []).map(({ visits }) => visits))
    return featureCollection(
      (visited ?? []).flatMap(({ name, place, visits }): Feature[] => {
        if (!place) return []
        const properties = { weight: Math.sqrt(visits / most), label: `${name}\n${label(visits)}` }
        return [{ type: 'Feature', geometry: { type: 'Point', coordinates: [place.lon, place.lat] }, properties }]
      }),
    )
  }, [visited, label])
  useSource(map, 'visits', data)
  const isShown = data.features.length > 0
  useEffect(() => {
    map?.setLayoutProperty('visits-heat', 'visibility', isShown ? 'visible' : 'none')
  }, [map, isShown])
}
