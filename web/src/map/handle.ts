import { type Map as MapLibre, Marker } from 'maplibre-gl'
import type { Place } from './geodesic.ts'

export type HandleOptions = {
  label: string
  className: string
  /** Called on focus or click. */
  onTouched?: () => void
  /** Called while the handle is dragged or moved by keys. */
  onMoving?: (to: Place) => void
  /** Called when the handle is released, or on Enter after arrow keys. If it rejects, the handle moves back. */
  onMoved: (to: Place) => void | Promise<void>
  /** Every arrow key press counts as a release. */
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

/** A draggable handle. Arrow keys move it by one pixel, or ten with Shift. Enter confirms, Escape cancels. */
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
  // A click on the handle is not a click on the map.
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
