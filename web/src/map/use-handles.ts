import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { Place } from './geodesic.ts'
import { addHandle, type Handle } from './handle.ts'

export type HandleKind = {
  className: string
  labelOf: (index: number) => string
  /** Called on focus or click. */
  onTouched?: (index: number) => void
  onMoving?: (index: number, to: Place) => void
  onMoved: (index: number, to: Place) => void | Promise<void>
  keysSettle?: boolean
}

/** Keeps one handle per place. Handles persist, with their focus, while their labels stay the same. */
export function useHandles(map: MapLibre | null, places: Place[], kind: HandleKind) {
  const handles = useRef<Handle[]>([])
  const now = useRef(kind)
  now.current = kind
  const { className } = kind
  const labels = places.map((_, i) => kind.labelOf(i)).join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the places move the handles, below
  useEffect(() => {
    if (!map) return undefined
    handles.current = places.map((place, i) =>
      addHandle(map, place, {
        label: now.current.labelOf(i),
        className,
        onTouched: () => now.current.onTouched?.(i),
        onMoving: (to) => now.current.onMoving?.(i, to),
        onMoved: (to) => now.current.onMoved(i, to),
        ...(now.current.keysSettle ? { keysSettle: true } : {}),
      }),
    )
    return () => {
      for (const handle of handles.current) handle.remove()
      handles.current = []
    }
  }, [map, labels, className])

  useEffect(() => {
    for (const [i, handle] of handles.current.entries()) {
      const place = places[i]
      if (place) handle.moveTo(place)
    }
  }, [places])
}
