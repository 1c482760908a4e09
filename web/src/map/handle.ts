import { type Map as MapLibre, Marker } from 'maplibre-gl'
import type { Place } from './geodesic.ts'

export type HandleOptions = {
  label: string
  className: string
  /** It has the focus, or was pressed. */
  onTouched?: () => void
  /** It follows the pointer or the keys, and is not yet let go. */
  onMoving?: (to: Place) => void
  /** It was let go, or Enter was pressed after some arrow keys. Where it is refused, the handle goes back. */
  onMoved: (to: Place) => void | Promise<void>
  /** Every press of an arrow key counts as let go. */
  keysSettle?: boolean
}

export type Handle = { moveTo: (place: Place) => void; remove: () => void }

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const LONG_STEP = 10

/** Something on the map that is moved by the pointer, or by arrow keys: a pixel, with Shift ten; Enter settles, Escape puts it back. */
export function addHandle(map: MapLibre, place: Place, options: HandleOptions): Handle {
  const { label, className, onTouched, onMoving, onMoved, keysSettle } = options
  const button = document.createElement('button')
  button.type = 'button'
  button.className = className
  button.setAttribute('aria-label', label)
  button.title = label
  const marker = new Marker({ element: button, draggable: true }).setLngLat([place.lon, place.lat]).addTo(map)
  let settled = place
  let isAway = false

  const placeNow = (): Place => {
    const { lng, lat } = marker.getLngLat()
    return { lat, lon: lng }
  }
  const putBack = () => {
    isAway = false
    marker.setLngLat([settled.lon, settled.lat])
    onMoving?.(settled)
  }
  const settle = () => {
    isAway = false
    Promise.resolve(onMoved(placeNow())).catch(putBack)
  }
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step) {
      const far = event.shiftKey ? LONG_STEP : 1
      const at = map.project(marker.getLngLat())
      marker.setLngLat(map.unproject([at.x + step[0] * far, at.y + step[1] * far]))
      isAway = true
      onMoving?.(placeNow())
      if (keysSettle) settle()
    } else if (event.key === 'Enter' && isAway) settle()
    else if (event.key === 'Escape' && isAway) putBack()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  button.addEventListener('keydown', press)
  button.addEventListener('blur', () => isAway && putBack())
  button.addEventListener('focus', () => onTouched?.())
  // A press on it is not one on the map.
  button.addEventListener('click', (event) => {
    event.stopPropagation()
    onTouched?.()
  })
  marker.on('drag', () => onMoving?.(placeNow()))
  marker.on('dragend', settle)

  return {
    moveTo: (next) => {
      settled = next
      if (!isAway) marker.setLngLat([next.lon, next.lat])
    },
    remove: () => marker.remove(),
  }
}
