import type { SharedMapView } from '@cairn/sdk'
import { GeoJSONSource, type Map as MapLibre } from 'maplibre-gl'

/** Fills the sources of the overlay with what a map shows. */
export function fill(map: MapLibre, { zones, pins }: SharedMapView): void {
  const areas = zones.flatMap(({ title, boundary }) =>
    boundary
      ? [{ type: 'Feature', geometry: boundary as unknown as GeoJSON.Geometry, properties: { title } } as const]
      : [],
  )
  const places = pins.map(({ id, title, longitude, latitude }) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
    properties: { id, title },
  }))
  for (const [name, features] of Object.entries({ zones: areas, pins: places })) {
    const source = map.getSource(name)
    if (source instanceof GeoJSONSource) source.setData({ type: 'FeatureCollection', features })
  }
}
