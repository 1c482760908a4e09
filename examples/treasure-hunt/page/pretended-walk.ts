import type { DeviceLocation, PositionFixInput } from '@cairn/sdk'
import { distance, moved, type Point } from './geometry.ts'
import type { Walk } from './position.ts'

/** Below the 60 m/s at which the service finds a move plausible. */
const METRES_A_SECOND = 40
const ACCURACY_METRES = 5
const KEYS: Record<string, [east: number, north: number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

type Listener = Parameters<DeviceLocation['watchPosition']>[0]

/** How often the device reports its position, as a real one does. */
const EVERY_MS = 1000

/** A device that walks by arrow keys and clicks, to play at a desk. @param onMove called with each step */
export function pretendedWalk(start: Point, onMove: (here: PositionFixInput) => void): Walk {
  let here = start
  let goal: Point | null = null
  const listeners = new Map<number, Listener>()
  const pressed = new Set<string>()
  const isTyping = () => document.activeElement instanceof HTMLInputElement
  addEventListener('keydown', (event) => {
    if (!(event.key in KEYS) || isTyping()) return
    event.preventDefault()
    pressed.add(event.key)
    goal = null
  })
  addEventListener('keyup', ({ key }) => pressed.delete(key))
  addEventListener('blur', () => pressed.clear())

  const measured = () => ({ ...here, accuracy: ACCURACY_METRES, at: new Date().toISOString() })
  const position = () => ({
    coords: { latitude: here.lat, longitude: here.lon, accuracy: ACCURACY_METRES, altitude: null },
    timestamp: Date.now(),
  })
  let before = performance.now()
  function step(now: number) {
    const metres = (METRES_A_SECOND * Math.min(now - before, 100)) / 1000
    before = now
    const next = goal ? towards(here, goal, metres) : along(here, pressed, metres)
    if (goal && distance(next, goal) < 0.5) goal = null
    if (next !== here) {
      here = next
      onMove(measured())
    }
    requestAnimationFrame(step)
  }
  onMove(measured())
  requestAnimationFrame(step)
  setInterval(() => {
    for (const listen of listeners.values()) listen(position())
  }, EVERY_MS)
  return {
    location: {
      watchPosition(listen) {
        const id = listeners.size + 1
        listeners.set(id, listen)
        return id
      },
      clearWatch: (id) => void listeners.delete(id),
    },
    measure: async () => measured(),
    to: (there) => {
      goal = there
    },
  }
}

function towards(here: Point, goal: Point, metres: number): Point {
  const share = Math.min(1, metres / Math.max(distance(here, goal), 0.01))
  return { lat: here.lat + (goal.lat - here.lat) * share, lon: here.lon + (goal.lon - here.lon) * share }
}

function along(here: Point, pressed: Set<string>, metres: number): Point {
  const [east, north] = [...pressed].reduce(([e, n], key) => [e + KEYS[key]![0], n + KEYS[key]![1]], [0, 0])
  const length = Math.hypot(east, north)
  return length === 0 ? here : moved(here, (east / length) * metres, (north / length) * metres)
}
