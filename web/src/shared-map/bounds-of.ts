import type { SharedMapView } from '@cairn/sdk'
import { LngLatBounds } from 'maplibre-gl'
import type { Start } from '../map/create-map.ts'

/** The view that shows all zones and pins; the world without any. */
export function boundsOf({ zones, pins }: SharedMapView): Start {
  const bounds = new LngLatBounds()
  for (const { longitude, latitude } of pins) bounds.extend([longitude, latitude])
  for (const { boundary } of zones) for (const position of positionsOf(boundary?.coordinates)) bounds.extend(position)
  return bounds.isEmpty() ? { center: [0, 20], zoom: 1 } : { bounds }
}

/** The positions of nested GeoJSON coordinates. */
function* positionsOf(coordinates: unknown): Generator<[number, number]> {
  if (!Array.isArray(coordinates)) return
  if (typeof coordinates[0] === 'number') yield coordinates.slice(0, 2) as [number, number]
  else for (const inner of coordinates) yield* positionsOf(inner)
}
