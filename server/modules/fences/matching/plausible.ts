import { distance } from '../../places/geodesy.ts'
import { type Fix, LATE_MS } from './fix.ts'

/** Metres a second at which a move is plausible: 216 km/h. */
export const PLAUSIBLE_SPEED = 60

/** How far off the clock of a device may be. */
export const CLOCK_MS = 60_000

/** The newest fix that a player can have reached from the ones before. */
export type Plausible = Fix & {
  /** When the service received it, in milliseconds since 1970. */
  received?: number
  /** Milliseconds of travel, beyond the time since it was received, that the next moves may take. */
  slack?: number
}

const placeOf = ({ lat, lon }: Fix) => ({ latitude: lat, longitude: lon })

/** What an accuracy can take off a distance at most, in metres. */
const MAX_ALLOWANCE = 100
const allowed = ({ accuracy }: Fix) => Math.min(accuracy, MAX_ALLOWANCE)

/** Along the ellipsoid. */
export const metresBetween = (from: Fix, to: Fix) => distance(placeOf(from), placeOf(to))

/**
 * For how many milliseconds a player can have travelled since a fix, by the clock of the service. The times of fixes are
 * the word of the device; when they are received is not. As in a token bucket, moves take from the time that has
 * passed and from CLOCK_MS, which many small moves cannot exceed together.
 */
const timeLeft = ({ at, received = at, slack = CLOCK_MS }: Plausible, now: number): number =>
  slack + Math.max(0, now - received)

type Move = { speed: number; elapsed: number; now: number }

/** From the nearest to the nearest place that the accuracies of both fixes allow. */
function isWithin(from: Plausible, to: Fix, { speed, elapsed, now }: Move): boolean {
  const metres = metresBetween(from, to) - allowed(from) - allowed(to)
  const possible = (perSecond: number, ms: number) => metres <= Math.max(0, (perSecond * ms) / 1000)
  return possible(speed, elapsed) && possible(Math.max(speed, PLAUSIBLE_SPEED), timeLeft(from, now))
}

/**
 * Whether a player can have come from a fix to another at a speed in metres a second, by the times of both and by the clock of the
 * service. One that is not later must have been there already.
 */
export const isReachable = (from: Plausible, to: Fix, speed: number, now: number): boolean =>
  isWithin(from, to, { speed, elapsed: Math.max(0, to.at - from.at), now })

/** As isReachable, also for a late fix, which comes before the other. */
export const isConsistent = (with_: Plausible, fix: Fix, speed: number, now: number): boolean =>
  isWithin(with_, fix, { speed, elapsed: Math.abs(fix.at - with_.at), now })

/**
 * The newest plausible fix after another one, which the service has just received. A jump is plausible once enough
 * time has passed for it, so that a fix at a far place does not become the start of the next way. Accuracies take
 * nothing off here: in many steps they would add up to any distance.
 */
export function nextPlausible(before: Plausible | undefined, fix: Fix, now: number): Plausible {
  // What comes first in a request may be late; the fixes after it in the same request have the time since.
  if (!before) return { ...fix, received: now, slack: CLOCK_MS + Math.min(LATE_MS, Math.max(0, now - fix.at)) }
  const left = timeLeft(before, now)
  const needed = (metresBetween(before, fix) / PLAUSIBLE_SPEED) * 1000
  if (fix.at <= before.at || needed > Math.min(fix.at - before.at, left)) return before
  return { ...fix, received: Math.max(now, before.received ?? 0), slack: left - needed }
}

/** A plausible fix once the whole request is judged: what its fixes did not use is not there for the next one. */
export const settled = (plausible: Plausible): Plausible => ({
  ...plausible,
  slack: Math.min(CLOCK_MS, plausible.slack ?? CLOCK_MS),
})
