import type { SourceSpecification } from 'maplibre-gl'
import { NO_FEATURES } from '../map/base-map/base-style.ts'
import type { Overlay } from '../map/create-map.ts'
import { pinIcon } from '../map/icons.ts'

const empty: SourceSpecification = { type: 'geojson', data: NO_FEATURES }

/** The sources, layers and icons of a shared map. */
export const overlay: Overlay = {
  sources: { zones: empty, pins: empty },
  layers: (colours, fonts) => [
    {
      id: 'zones',
      type: 'fill',
      source: 'zones',
      metadata: { below: 'texts' },
      paint: { 'fill-color': colours.accent!, 'fill-opacity': 0.12 },
    },
    { id: 'zone-lines', type: 'line', source: 'zones', paint: { 'line-color': colours.accent!, 'line-width': 2 } },
    {
      id: 'pins',
      type: 'symbol',
      source: 'pins',
      layout: {
        'icon-image': 'pin',
        'icon-anchor': 'bottom',
        'icon-allow-overlap': true,
        'text-field': ['get', 'title'],
        'text-font': fonts.bold,
        'text-size': 12,
        'text-anchor': 'top',
        'text-offset': [0, 0.3],
        'text-optional': true,
      },
      paint: { 'text-color': colours.ink!, 'text-halo-color': colours['map-halo']!, 'text-halo-width': 2 },
    },
  ],
  icons: (colours) => ({ pin: pinIcon(colours.accent!, colours['map-on-tag']!) }),
}
