import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { Place } from '../../map/geodesic.ts'
import { boxAround } from './use-map-data.ts'
import { type Box, boxOf } from './use-viewport.ts'

const CLOSE = 17
/** On wide screens the hint and legend cover the bottom of the map. */
const paddingNow = () =>
  matchMedia('(max-width: 47.5em)').matches ? 48 : { top: 64, left: 64, right: 64, bottom: 128 }

type Subjects = {
  point: Place | null
  radius: number
  /** The bounding box of the selected item. */
  selected: Box | null
  /** The selection is loading, so the map waits for it. */
  isSelecting: boolean
  /** All items; undefined while loading. */
  all: Place[] | undefined
}

/** Keeps the search circle or the selection in view. Initially fits all items. */
export function useCamera(map: MapLibre | null, { point, radius, selected, isSelecting, all }: Subjects) {
  const isPlaced = useRef(point !== null)
  // The first view is not animated: an animation would load everything on its way.
  const isOpened = useRef(false)

  useEffect(() => {
    if (!map || !point) return undefined
    isPlaced.current = true
    const { west, south, east, north } = boxAround(point, radius)
    const bounds: [number, number, number, number] = [west, south, east, north]
    const isSeen = () => {
      const seen = map.getBounds()
      return seen.contains([west, south]) && seen.contains([east, north])
    }
    const isLarge = (east - west) * 8 > map.getBounds().getEast() - map.getBounds().getWest()
    if (!isOpened.current || !isSeen() || !isLarge)
      map.fitBounds(bounds, { padding: paddingNow(), animate: isOpened.current })
    isOpened.current = true

    return keepSeen(map, isSeen, () => map.fitBounds(bounds, { padding: paddingNow(), animate: false }))
  }, [map, point, radius])

  const { west, south, east, north } = selected ?? {}
  useEffect(() => {
    if (!map || west === undefined || south === undefined || east === undefined || north === undefined) return undefined
    const isSeen = () => map.getBounds().contains([(west + east) / 2, (south + north) / 2])
    const show = (maxZoom: number, animate: boolean) =>
      map.fitBounds([west, south, east, north], { padding: paddingNow(), maxZoom, animate, linear: true })
    if (!isPlaced.current) show(CLOSE, false)
    else if (!isSeen()) show(map.getZoom(), true)
    isPlaced.current = true
    return keepSeen(map, isSeen, () => show(map.getZoom(), false))
    // Depends on the coordinates, because a refetched record has a new identity.
  }, [map, west, south, east, north])

  useEffect(() => {
    if (!map || isPlaced.current || isSelecting || !all || all.length === 0) return
    isPlaced.current = true
    const { west, south, east, north } = boxOf(all.map(({ lat, lon }) => [lon, lat]))
    map.fitBounds([west, south, east, north], { padding: paddingNow(), maxZoom: CLOSE, animate: false })
  }, [map, all, isSelecting])
}

/** Keeps the view when the map shrinks, unless the user has moved it. @returns a function to unsubscribe */
function keepSeen(map: MapLibre, isSeen: () => boolean, show: () => void): () => void {
  let wasSeen = true
  const look = () => {
    wasSeen = isSeen()
  }
  const showAgain = () => {
    if (wasSeen && !isSeen()) show()
  }
  map.on('moveend', look)
  map.on('resize', showAgain)
  return () => {
    map.off('moveend', look)
    map.off('resize', showAgain)
  }
}
