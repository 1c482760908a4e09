import type { Doubt } from '../positions/schema.ts'
import type { Fence } from './fence-set.ts'
import type { Fix } from './fix.ts'
import { isConsistent, PLAUSIBLE_SPEED, type Plausible } from './plausible.ts'

/** What is known when a fix is judged. */
export type Known = {
  /** The newest plausible fix before it. */
  plausible: Plausible | undefined
  /** Fixes that too many other players have sent. */
  shared: ReadonlySet<Fix>
  /** Milliseconds since 1970, by the service. */
  now: number
}

/** Why a fix may not show where the player is, by the check-in rule of a fence or, without one, by its defaults. */
export function doubtsOf(fix: Fix, { checkIn }: Fence, { plausible, shared, now }: Known): Doubt[] {
  const speed = checkIn?.maxSpeed ?? PLAUSIBLE_SPEED
  return [
    ...(fix.mocked && !checkIn?.allowMocked ? (['mocked'] as const) : []),
    ...(plausible && !isConsistent(plausible, fix, speed, now) ? (['speed'] as const) : []),
    ...(shared.has(fix) ? (['shared_fix'] as const) : []),
  ]
}

/** Each doubt once. */
export const uniqueDoubts = (...doubts: (readonly Doubt[] | undefined)[]): Doubt[] => [
  ...new Set(doubts.flatMap((some) => some ?? [])),
]
