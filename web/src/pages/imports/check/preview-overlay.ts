import { NO_FEATURES } from '../../../map/base-map/base-style.ts'
import type { Overlay } from '../../../map/create-map.ts'

/** Points by row status: new ones are discs, existing ones are rings, failed ones are large red rings. */
export const previewOverlay: Overlay = {
  sources: {
    zone: { type: 'geojson', data: NO_FEATURES },
    points: { type: 'geojson', data: NO_FEATURES },
  },
  layers: (colours) => [
    {
      id: 'zone',
      type: 'line',
      source: 'zone',
      paint: { 'line-color': colours.note!, 'line-width': 1.75, 'line-dasharray': [4, 3] },
    },
    {
      id: 'points',
      type: 'circle',
      source: 'points',
      filter: ['!=', ['get', 'status'], 'failed'],
      paint: {
        'circle-radius': ['case', ['==', ['get', 'status'], 'new'], 5, 4],
        'circle-color': ['case', ['==', ['get', 'status'], 'new'], colours.accent!, colours.surface!],
        'circle-stroke-color': ['case', ['==', ['get', 'status'], 'new'], colours.surface!, colours.accent!],
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'failed',
      type: 'circle',
      source: 'points',
      filter: ['==', ['get', 'status'], 'failed'],
      paint: {
        'circle-radius': 8,
        'circle-color': colours.err!,
        'circle-opacity': 0.25,
        'circle-stroke-color': colours.err!,
        'circle-stroke-width': 2.5,
      },
    },
  ],
}
