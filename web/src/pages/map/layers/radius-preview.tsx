import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useReducer, useState } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import classes from './radius-preview.module.css'
import { ringAround } from './use-map-sources.ts'

type Props = {
  map: MapLibre | null
  point: Place | null
  /** In metres. */
  radius: number
  /** The radius that the map shows, or will. */
  drawn: number
}

/** The search circle while its radius changes, over the map: the map itself, whose frames take longer, is drawn again when the radius rests. */
export function RadiusPreview({ map, point, radius, drawn }: Props) {
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
  return (
    <svg className={classes.preview} data-radius-preview aria-hidden>
      <path d={`M${corners.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}Z`} />
    </svg>
  )
}
