import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useReducer, useState } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { useStore } from '../../../shell/store.ts'
import type { SearchRadius } from '../use-search-radius.ts'
import classes from './radius-preview.module.css'
import { ringAround } from './use-map-sources.ts'

type Props = {
  map: MapLibre | null
  point: Place | null
  search: SearchRadius
  /** The radius that the map shows, or will, in metres. */
  drawn: number
}

/**
 * The search circle while its radius changes, over the map: the map itself, whose frames take longer, is drawn again when the
 * radius rests. It is an ellipse, which browsers draw in a fraction of the time of a path.
 */
export function RadiusPreview({ map, point, search, drawn }: Props) {
  const radius = useStore(search)
  const isChanging = radius !== drawn
  const [isShown, setIsShown] = useState(false)
  const [, follow] = useReducer((moves: number) => moves + 1, 0)
  useEffect(() => {
    if (isChanging) setIsShown(true)
    if (!map || isChanging || !isShown) return undefined
    // Until the map has drawn the circle.
    const hide = () => setIsShown(false)
    map.once('idle', hide)
    map.triggerRepaint()
    return () => {
      map.off('idle', hide)
    }
  }, [map, isChanging, isShown])
  useEffect(() => {
    if (!map || !isShown) return undefined
    map.on('move', follow)
    return () => {
      map.off('move', follow)
    }
  }, [map, isShown])
  if (!map || !point || !(isChanging || isShown)) return null
  const corners = ringAround(point, radius).map((corner) => map.project(corner))
  const [left, right] = rangeOf(corners.map(({ x }) => x))
  const [top, bottom] = rangeOf(corners.map(({ y }) => y))
  return (
    <div className={classes.preview} data-radius-preview aria-hidden>
      <div style={{ left, top, width: right - left, height: bottom - top }} />
    </div>
  )
}

const rangeOf = (values: number[]): [least: number, most: number] => [Math.min(...values), Math.max(...values)]
