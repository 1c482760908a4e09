import type { DeviceLocation, PositionFixInput } from '@cairn/sdk'
import { distance, type Point } from './geometry.ts'
import { pretendedWalk } from './pretended-walk.ts'

/** A position that is known will do for this long: beside a watch, Chromium measures again only when the device moves. */
const MAX_AGE_MS = 30_000
/** Beyond this distance from the hunt, the player's walk is simulated. */
const FAR_METRES = 3000

export type Walk = {
  /** Where the device is, for `cairn.fences.watch`. */
  location: DeviceLocation
  /** Where the player is now. */
  measure: () => Promise<PositionFixInput>
  /** Walks to a point, if the walk is simulated. */
  to: (goal: Point) => void
}

/** The player's position. Without permission, or far from the hunt, the player walks with arrow keys and map clicks instead. @param onMove called with each new position @param onPretence called once with the reason */
export async function openWalk(
  start: Point,
  onMove: (here: PositionFixInput) => void,
  onPretence: (reason: string) => void,
): Promise<Walk> {
  try {
    let here = fixOf(await devicePosition())
    if (distance(here, start) < FAR_METRES) {
      const { geolocation } = navigator
      const move = (found: PositionFixInput) => {
        here = found
        onMove(here)
      }
      move(here)
      geolocation.watchPosition(
        (found) => move(fixOf(found)),
        () => {}, // such as in a tunnel: the last position stays
        { enableHighAccuracy: true },
      )
      return { location: geolocation, measure: () => devicePosition().then(fixOf, () => here), to: () => {} }
    }
    onPretence('You are far from the hunt')
  } catch {
    onPretence('Your place is not known')
  }
  return pretendedWalk(start, onMove)
}

const fixOf = ({ coords, timestamp }: GeolocationPosition): PositionFixInput => ({
  lat: coords.latitude,
  lon: coords.longitude,
  accuracy: coords.accuracy,
  at: new Date(timestamp).toISOString(),
})

const devicePosition = () =>
  new Promise<GeolocationPosition>((resolve, reject) => {
    if (!navigator.geolocation) return reject(new Error('This device knows no places'))
    const options = { enableHighAccuracy: true, timeout: 10_000, maximumAge: MAX_AGE_MS }
    navigator.geolocation.getCurrentPosition(resolve, reject, options)
  })
