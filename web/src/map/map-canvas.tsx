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
  /** The same object in every drawing. */
  overlay: Overlay
  /** What is shown first; where it goes from there is the map's own. */
  start: Start
  /** What the map is called for those who do not see it. */
  label: string
  /** The map, once its sources are there; null when it is gone. */
  onMap: (map: MapLibre | null) => void
  /** What floats over the map. */
  children?: ReactNode
}

/** A map in the colours of the page, on the bundled base or on the style that the operator named. It fills what it is put into. */
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
