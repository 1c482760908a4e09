import { GeoJSONSource, type Map as MapLibre, type MapMouseEvent, type PointLike } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { wrapPlace } from '../editor/coordinates.ts'
import { keyOf } from '../url-state.ts'
import { CLICKABLE, CLUSTERS } from './overlay.ts'
import { LEVELS_TO_OPEN } from './tile-spots.ts'

/** Click tolerance in pixels. */
const NEAR = 6

type MapClicks = {
  /** If set, clicks set a location and select nothing. */
  onPlace: ((place: Place) => void) | null
  /** Called with `kind:id` of the clicked item, or undefined. */
  onSelect: (name: string | undefined) => void
}

/** Handles map clicks. A click on a cluster zooms in. */
export function useMapClicks(map: MapLibre | null, clicks: MapClicks) {
  const now = useRef(clicks)
  now.current = clicks
  const isPlacing = clicks.onPlace !== null

  useEffect(() => {
    if (!map) return undefined
    const found = ({ point: { x, y } }: MapMouseEvent, layers: string[]) => {
      const around: [PointLike, PointLike] = [
        [x - NEAR, y - NEAR],
        [x + NEAR, y + NEAR],
      ]
      return map.queryRenderedFeatures(around, { layers })
    }
    const press = (event: MapMouseEvent) => {
      const { onPlace, onSelect } = now.current
      if (onPlace) return onPlace(wrapPlace(event.lngLat))
      const [spot] = found(event, CLICKABLE)
      if (spot) return onSelect(nameOf(spot))
      const [cluster] = found(event, CLUSTERS)
      if (cluster) void open(map, cluster)
      else onSelect(undefined)
    }
    const point = (event: MapMouseEvent) => {
      const isOver = !now.current.onPlace && found(event, [...CLICKABLE, ...CLUSTERS]).length > 0
      map.getCanvas().style.cursor = now.current.onPlace ? 'crosshair' : isOver ? 'pointer' : ''
    }
    map.on('click', press)
    map.on('mousemove', point)
    return () => {
      map.off('click', press)
      map.off('mousemove', point)
    }
  }, [map])

  useEffect(() => {
    if (map) map.getCanvas().style.cursor = isPlacing ? 'crosshair' : ''
  }, [map, isPlacing])
}

type Drawn = ReturnType<MapLibre['queryRenderedFeatures']>[number]

const nameOf = ({ properties }: Drawn): string => keyOf(properties as Parameters<typeof keyOf>[0])

async function open(map: MapLibre, { source: id, geometry, properties }: Drawn) {
  const source = map.getSource(id)
  if (geometry.type !== 'Point' || !(source instanceof GeoJSONSource)) return
  // A cluster of a tile has no id here.
  const zoom = properties.cluster
    ? await source.getClusterExpansionZoom(Number(properties.cluster_id))
    : map.getZoom() + LEVELS_TO_OPEN
  map.easeTo({ center: geometry.coordinates as [number, number], zoom: zoom + 0.5 })
}
