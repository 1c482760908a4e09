import type { Map as MapLibre } from 'maplibre-gl'
import type { Place } from '../../../map/geodesic.ts'
import type { MapData } from '../use-map-data.ts'
import type { Visible } from '../use-visible.ts'
import { useSpotSource } from './use-map-sources.ts'
import { useSpots } from './use-spots.ts'
import { useSpotsDrawn } from './use-tiles.ts'

type Props = { map: MapLibre | null; data: MapData; visible: Visible; point: Place | null; radius: number }

/** Draws the places on the map. A component of its own, so that a tile that arrives does not render the page again. */
export function SpotsOnMap({ map, data, visible, point, radius }: Props) {
  useSpotSource(map, useSpots(map, data, visible), point, radius)
  useSpotsDrawn(map)
  return null
}
