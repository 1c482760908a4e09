import 'maplibre-gl/dist/maplibre-gl.css'
import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Notice } from '../components/feedback/notice.tsx'
import { messages } from '../messages/index.ts'
import { loadSettings } from '../session/console-settings.ts'
import { createMap, type Overlay, type Start } from './create-map.ts'
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

/** A map on the bundled base style or the configured style. It fills its container. */
export function MapCanvas({ overlay, start, label, onMap, children }: Props) {
  const { data: settings } = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  const [isDrawable, setIsDrawable] = useState(true)
  const host = useRef<HTMLDivElement>(null)
  const first = useRef({ start, label, onMap })
  const styleUrl = settings?.mapStyleUrl

  useEffect(() => {
    if (styleUrl === undefined) return undefined
    const { start, label, onMap } = first.current
    try {
      const remove = createMap({ container: host.current!, overlay, start, label, styleUrl, onReady: onMap })
      return () => {
        onMap(null)
        remove()
      }
    } catch {
      setIsDrawable(false)
      return undefined
    }
  }, [overlay, styleUrl])

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
