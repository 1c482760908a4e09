import { distance } from '../../places/geodesy.ts'
import type { Fix } from './movement.ts'

/** Metres a second at which a move is plausible: 216 km/h. */
const PLAUSIBLE_SPEED = 60

const placeOf = ({ lat, lon }: Fix) => ({ latitude: lat, longitude: lon })

/**
 * Whether a player can have moved between two fixes at a speed in metres a second: along the ellipsoid, from the nearest
 * to the nearest place that their accuracies allow. One that is not later than the other must have been there already.
 */
export function isReachable(from: Fix, to: Fix, speed: number): boolean {
  const metres = distance(placeOf(from), placeOf(to)) - from.accuracy - to.accuracy
  return metres <= (speed * Math.max(0, to.at - from.at)) / 1000
}

/**
 * The newest plausible fix of a player. A jump is plausible once enough time has passed for it, so
 * that a fix at a far place does not become the start of the next way.
 */
export function newestPlausible(before: Fix | undefined, fixes: readonly Fix[]): Fix | undefined {
  let plausible = before
  for (const fix of fixes.toSorted((a, b) => a.at - b.at))
    if (!plausible || (fix.at > plausible.at && isReachable(plausible, fix, PLAUSIBLE_SPEED))) plausible = fix
  return plausible
}
