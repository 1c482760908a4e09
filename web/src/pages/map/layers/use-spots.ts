import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import type { MapData } from '../use-map-data.ts'
import type { Visible } from '../use-visible.ts'
import type { Spot } from './spot.ts'
import { withoutGcps } from './tile-spots.ts'
import { useTiles } from './use-tiles.ts'

const NONE: Spot[] = []

/** The places to draw: what is loaded and, where that is too much, what tiles have. */
export function useSpots(map: MapLibre | null, data: MapData, { pins, gcps, scans, has, tiles }: Visible) {
  // Of pins in tiles, those of control points are taken away, also where no control points are drawn.
  const tiledPins = useTiles(map, 'pins', has.pins && tiles.pins)
  const tiledGcps = useTiles(map, 'gcps', (has.gcps || (has.pins && tiles.pins)) && tiles.gcps)
  const loadedGcps = data.gcps.data?.spots ?? NONE
  return useMemo(
    () => ({
      pins: tiledPins.length === 0 ? pins : [...pins, ...withoutGcps(tiledPins, [...loadedGcps, ...tiledGcps])],
      gcps: has.gcps && tiledGcps.length > 0 ? [...gcps, ...tiledGcps] : gcps,
      scans,
    }),
    [pins, gcps, scans, has.gcps, tiledPins, tiledGcps, loadedGcps],
  )
}
