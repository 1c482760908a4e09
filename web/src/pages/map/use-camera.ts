import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { Place } from '../../map/geodesic.ts'
import type { Spot } from './layers/spots.ts'
import { boxAround } from './use-map-data.ts'
import { type Box, boxOf } from './use-viewport.ts'

const CLOSE = 17
/** The hint and the legend lie at the foot of a wide map. */
const paddingNow = () =>
  matchMedia('(max-width: 47.5em)').matches ? 48 : { top: 64, left: 64, right: 64, bottom: 128 }

type Subjects = {
  point: Place | null
  radius: number
  /** Where that lies which is selected. */
  selected: Box | null
  /** It is still to come: the map opens there, not on all there is. */
  isSelecting: boolean
  /** Everything; undefined while it is not there. */
  all: Spot[] | undefined
}

/** Keeps in view what the page is about: the circle of the search, what was selected, and at first everything there is. */
export function useCamera(map: MapLibre | null, { point, radius, selected, isSelecting, all }: Subjects) {
  const isPlaced = useRef(point !== null)
  // The first view is there at once: a flight would draw, and ask for, all that lies on the way.
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
    if (!isSeen() || !isLarge) map.fitBounds(bounds, { padding: paddingNow(), animate: isOpened.current })
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
    // By its figures: a record that is read anew lies where it lay.
  }, [map, west, south, east, north])

  useEffect(() => {
    if (!map || isPlaced.current || isSelecting || !all || all.length === 0) return
    isPlaced.current = true
    const { west, south, east, north } = boxOf(all.map(({ lat, lon }) => [lon, lat]))
    map.fitBounds([west, south, east, north], { padding: paddingNow(), maxZoom: CLOSE, animate: false })
  }, [map, all, isSelecting])
}

/** A map that became smaller still shows what it showed, unless somebody went elsewhere before. @returns what ends that */
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
