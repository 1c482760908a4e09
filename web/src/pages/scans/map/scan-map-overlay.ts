import { NO_FEATURES } from '../../../map/base-map/base-style.ts'
import type { Overlay } from '../../../map/create-map.ts'
import type { LocatedScan } from './located-scans.ts'

/** Scans as rings; the selected one is filled. */
export const scanMapOverlay: Overlay = {
  sources: { scans: { type: 'geojson', data: NO_FEATURES } },
  layers: (colours) => [
    {
      id: 'scans',
      type: 'circle',
      source: 'scans',
      paint: {
        'circle-radius': ['case', ['get', 'isSelected'], 10, 7],
        'circle-color': ['case', ['get', 'isSelected'], colours.accent!, colours.surface!],
        'circle-stroke-color': ['case', ['get', 'isSelected'], colours.surface!, colours.accent!],
        'circle-stroke-width': 3,
      },
    },
  ],
}

export const ringsOf = (scans: LocatedScan[], chosen: string | null): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: scans.map(({ id, lat, long }) => ({
    type: 'Feature',
    properties: { id, isSelected: id === chosen },
    geometry: { type: 'Point', coordinates: [long, lat] },
  })),
})
