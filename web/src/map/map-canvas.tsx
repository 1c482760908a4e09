import 'maplibre-gl/dist/maplibre-gl.css'
import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Notice } from '../components/feedback/notice.tsx'
import { notifyWarning } from '../components/feedback/notify.ts'
import { messages } from '../messages/index.ts'
import { loadBase } from './base-map/drawn-base.ts'
import { createMap, type Overlay, prepareMaps, type Start } from './create-map.ts'
import classes from './map-canvas.module.css'

type Props = {
  /** Must be the same object in every render. */
  overlay: Overlay
  /** The initial view. */
  start: Start
  /** The accessible name of the map. */
  label: string
  /** Called with the map when its sources exist, and with null when it is removed. */
  onMap: (map: MapLibre | null) => void
  /** Content over the map. */
  children?: ReactNode
}

/** A map on the basemap of the console: the bundled one, streets from an archive, or a style. It fills its container. */
export function MapCanvas({ overlay, start, label, onMap, children }: Props) {
  const { data: drawn } = useQuery({
    queryKey: ['basemap', 'drawn'],
    queryFn: loadBase,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(prepareMaps, [])
  const [isDrawable, setIsDrawable] = useState(true)
  const host = useRef<HTMLDivElement>(null)
  const first = useRef({ start, label, onMap })
  useEffect(() => {
    if (!drawn) return undefined
    const { start, label, onMap } = first.current
    try {
      const remove = createMap({
        container: host.current!,
        overlay,
        start,
        label,
        ...drawn,
        onReady: onMap,
        onStyleFailed: () =>
          notifyWarning(
            messages.map.styleFailed,
            messages.map.styleFailedHow(new URL(drawn.styleUrl!, window.location.href).host),
          ),
      })
      return () => {
        onMap(null)
        remove()
      }
    } catch {
      setIsDrawable(false)
      return undefined
    }
  }, [overlay, drawn])

  return (
    <div className={classes.frame}>
      <div className={classes.map} ref={host} data-map="busy" />
      {!isDrawable && (
        <div className={classes.instead}>
          <Notice tone="warn" title={messages.map.noDrawing}>
            {messages.map.noDrawingHow}
          </Notice>
        </div>
      )}
      {children}
    </div>
  )
}
