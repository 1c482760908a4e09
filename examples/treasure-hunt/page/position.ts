import { distance, moved, type Point } from './geometry.ts'

/** Beyond this distance from the hunt, the player's walk is simulated. */
const FAR_METRES = 3000
const METRES_A_SECOND = 40
const KEYS: Record<string, [east: number, north: number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

export type Walk = {
  /** Walks to a point, if the walk is simulated. */
  to: (goal: Point) => void
}

/** Follows the player's position. Without permission, or far from the hunt, the player walks with arrow keys and map clicks instead. @param onMove called with each new position @param onPretence called once with the reason */
export async function followPlayer(
  start: Point,
  onMove: (here: Point) => void,
  onPretence: (reason: string) => void,
): Promise<Walk> {
  try {
    const first = await devicePosition()
    if (distance(first, start) < FAR_METRES) {
      onMove(first)
      navigator.geolocation.watchPosition(
        (found) => onMove(pointOf(found)),
        () => {},
        { enableHighAccuracy: true },
      )
      return { to: () => {} }
    }
    onPretence('You are far from the hunt')
  } catch {
    onPretence('Your place is not known')
  }
  return pretend(start, onMove)
}

const pointOf = ({ coords }: GeolocationPosition): Point => ({ lat: coords.latitude, lon: coords.longitude })

const devicePosition = () =>
  new Promise<Point>((resolve, reject) => {
    if (!navigator.geolocation) return reject(new Error('This device knows no places'))
    const options = { enableHighAccuracy: true, timeout: 10_000 }
    navigator.geolocation.getCurrentPosition((found) => resolve(pointOf(found)), reject, options)
  })

function pretend(start: Point, onMove: (here: Point) => void): Walk {
  let here = start
  let goal: Point | null = null
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

  let before = performance.now()
  function step(now: number) {
    const metres = (METRES_A_SECOND * Math.min(now - before, 100)) / 1000
    before = now
    const next = goal ? towards(here, goal, metres) : along(here, pressed, metres)
    if (goal && distance(next, goal) < 0.5) goal = null
    if (next !== here) {
      here = next
      onMove(here)
    }
    requestAnimationFrame(step)
  }
  onMove(here)
  requestAnimationFrame(step)
  return {
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
