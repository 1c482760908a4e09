import type { Zone } from '@cairn/sdk'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import type { Place } from '../../map/geodesic.ts'
import { wrapPlace } from './editor/coordinates.ts'

export type Box = { west: number; south: number; east: number; north: number }
/** The visible box and its centre, in degrees. */
export type Viewport = { box: Box; middle: Place }

const WORLD: Box = { west: -180, south: -90, east: 180, north: 90 }

/** The viewport whenever the map stops moving; null before the map is ready. */
export function useViewport(map: MapLibre | null): Viewport | null {
  const [view, setView] = useState<Viewport | null>(null)
  useEffect(() => {
    if (!map) return undefined
    const look = () => {
      const bounds = map.getBounds()
      const box = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
      setView({ box: withinWorld(box), middle: wrapPlace(map.getCenter()) })
    }
    look()
    map.on('moveend', look)
    return () => {
      map.off('moveend', look)
    }
  }, [map])
  return view
}

/** A box across 180° becomes all longitudes: rare, and always correct. */
function withinWorld({ west, south, east, north }: Box): Box {
  const turns = 360 * Math.floor((west + 180) / 360)
  const [from, to] = [west - turns, east - turns]
  const lats = { south: Math.max(-90, south), north: Math.min(90, north) }
  return to > 180 ? { ...WORLD, ...lats } : { west: from, east: to, ...lats }
}

/** The bounding box of positions, longitude first. */
export const boxOf = (positions: number[][]): Box => ({
  west: positions.reduce((min, at) => Math.min(min, at[0]!), Number.POSITIVE_INFINITY),
  south: positions.reduce((min, at) => Math.min(min, at[1]!), Number.POSITIVE_INFINITY),
  east: positions.reduce((max, at) => Math.max(max, at[0]!), Number.NEGATIVE_INFINITY),
  north: positions.reduce((max, at) => Math.max(max, at[1]!), Number.NEGATIVE_INFINITY),
})

/** The bounding box of all areas of a zone. */
export const boxOfZone = ({ type, coordinates }: NonNullable<Zone['boundary']>): Box =>
  boxOf((type === 'Polygon' ? coordinates : coordinates.flat()).flat())

/** The bounding box of two boxes. */
export const union = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
})

export const isInBox = ({ lat, lon }: Place, { west, south, east, north }: Box): boolean =>
  lat >= south && lat <= north && lon >= west && lon <= east

export const contains = (outer: Box, inner: Box): boolean =>
  outer.west <= inner.west && outer.south <= inner.south && outer.east >= inner.east && outer.north >= inner.north

/** Snaps a box to a larger one that nearby views share, so that they share a request. */
export function snapToGrid({ west, south, east, north }: Box): Box {
  const step = 2 ** Math.ceil(Math.log2(Math.max(east - west, north - south, 0.001)))
  return {
    west: Math.max(-180, Math.floor(west / step) * step),
    south: Math.max(-90, Math.floor(south / step) * step),
    east: Math.min(180, Math.ceil(east / step) * step),
    north: Math.min(90, Math.ceil(north / step) * step),
  }
}

/** Formats a box as the service expects. */
export const toBbox = ({ west, south, east, north }: Box): string => [west, south, east, north].join(',')
