import { distance } from '../../places/geodesy.ts'
import type { Fix } from './movement.ts'

/** Metres a second at which a move is plausible: 216 km/h. */
const PLAUSIBLE_SPEED = 60

const placeOf = ({ lat, lon }: Fix) => ({ latitude: lat, longitude: lon })

/** What an accuracy can take off a distance at most, in metres. */
const MAX_ALLOWANCE = 100
const allowed = ({ accuracy }: Fix) => Math.min(accuracy, MAX_ALLOWANCE)

/** Along the ellipsoid. */
export const metresBetween = (from: Fix, to: Fix) => distance(placeOf(from), placeOf(to))
const reach = (from: Fix, to: Fix, speed: number) => (speed * Math.max(0, to.at - from.at)) / 1000

/**
 * Whether a player can have moved between two fixes at a speed in metres a second: along the ellipsoid, from the nearest
 * to the nearest place that their accuracies allow. One that is not later than the other must have been there already.
 */
export const isReachable = (from: Fix, to: Fix, speed: number): boolean =>
  metresBetween(from, to) - allowed(from) - allowed(to) <= reach(from, to, speed)

/**
 * The newest plausible fix of a player. A jump is plausible once enough time has passed for it, so
 * that a fix at a far place does not become the start of the next way. Accuracies take nothing off here: in many steps they
 * would add up to any distance.
 */
export function newestPlausible(before: Fix | undefined, fixes: readonly Fix[]): Fix | undefined {
  let plausible = before
  for (const fix of fixes.toSorted((a, b) => a.at - b.at))
    if (
      !plausible ||
      (fix.at > plausible.at && metresBetween(plausible, fix) <= reach(plausible, fix, PLAUSIBLE_SPEED))
    )
      plausible = fix
  return plausible
}
