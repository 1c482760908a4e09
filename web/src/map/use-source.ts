import type { GeoJSON } from 'geojson'
import { GeoJSONSource, type Map as MapLibre } from 'maplibre-gl'
import { useEffect } from 'react'

/** Keeps a source of the map to what is given: the same object as long as it is the same. */
export function useSource(map: MapLibre | null, id: string, data: GeoJSON) {
  useEffect(() => {
    const source = map?.getSource(id)
    if (source instanceof GeoJSONSource) void source.setData(data)
  }, [map, id, data])
}
