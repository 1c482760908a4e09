import type { ExpressionSpecification } from 'maplibre-gl'
import { NO_FEATURES } from '../../map/base-map/base-style.ts'
import type { Overlay } from '../../map/create-map.ts'

const isShape = (shape: string): ExpressionSpecification => ['==', ['get', 'shape'], shape]

/** Poses with their ellipses and wedges, the best one filled, and the points whose tags the camera saw. */
export const poseOverlay: Overlay = {
  sources: { poses: { type: 'geojson', data: NO_FEATURES }, tags: { type: 'geojson', data: NO_FEATURES } },
  layers: (colours, fonts) => {
    const best: ExpressionSpecification = ['case', ['get', 'isBest'], colours.accent!, colours['ink-3']!]
    return [
      {
        id: 'wedges',
        type: 'fill',
        source: 'poses',
        filter: isShape('wedge'),
        paint: { 'fill-color': best, 'fill-opacity': 0.25 },
      },
      {
        id: 'ellipses',
        type: 'line',
        source: 'poses',
        filter: isShape('ellipse'),
        paint: { 'line-color': best, 'line-width': 2 },
      },
      {
        id: 'positions',
        type: 'circle',
        source: 'poses',
        filter: isShape('position'),
        paint: {
          'circle-radius': 6,
          'circle-color': best,
          'circle-stroke-color': colours.surface!,
          'circle-stroke-width': 2,
        },
      },
      {
        id: 'tags',
        type: 'circle',
        source: 'tags',
        paint: {
          'circle-radius': 10,
          'circle-color': colours['map-tag']!,
          'circle-stroke-color': colours.surface!,
          'circle-stroke-width': 1,
        },
      },
      {
        id: 'tag-ids',
        type: 'symbol',
        source: 'tags',
        layout: { 'text-field': ['get', 'tag'], 'text-font': fonts.bold, 'text-size': 11, 'text-allow-overlap': true },
        paint: { 'text-color': colours['map-on-tag']! },
      },
    ]
  },
}
