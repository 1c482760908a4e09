import type { Fence } from '../matching/fence-set.ts'
import { type Fix, LATE_MS } from '../matching/fix.ts'
import { isReachable, metresBetween, type Plausible } from '../matching/plausible.ts'
import type { CheckInRule } from '../records/schema.ts'
import { isOpen } from './opening-hours.ts'
import type { HeldFor, Refusal } from './schema.ts'

/** A place may be that many times as far off as its accuracy. */
const DEVIATIONS = 3

export type Judgement = { refused: Refusal } | { heldFor: HeldFor | undefined }

/**
 * Judges a check-in by its rule, in the order of {@link Refusal}. @param camera
 * where a proof says that the player was, instead of the fix @param plausible the newest plausible fix of the player @param now
 * milliseconds since 1970, by the service
 */
export function judge(
  fence: Fence,
  rule: CheckInRule | null,
  { fix, camera }: { fix: Fix; camera?: Fix | undefined },
  plausible: Plausible | undefined,
  now: number,
): Judgement {
  if (!rule) return { refused: 'no_check_ins' }
  if (fix.at < now - LATE_MS) return { refused: 'old_fix' }
  const place = camera ?? fix
  if (rule.requireProof && !camera) return { refused: 'proof_required' }
  if (place.accuracy > rule.maxAccuracy) return { refused: 'accuracy' }
  // Inside, as far as the accuracy can tell.
  if (!fence.isWithin(place.lat, place.lon, place.accuracy)) return { refused: 'outside' }
  if (rule.within && !isOpen(rule.within, rule.timeZone, now)) return { refused: 'closed' }
  if (plausible && !isReachable(plausible, place, rule.maxSpeed, now)) return { refused: 'speed' }
  if (fix.mocked && !rule.allowMocked) return { heldFor: 'mocked' }
  return { heldFor: camera && differs(fix, camera) ? 'fix_differs' : undefined }
}

/** Whether a fix and a camera cannot have been at one place, as far as their accuracies tell. */
const differs = (fix: Fix, camera: Fix): boolean =>
  metresBetween(fix, camera) > DEVIATIONS * (fix.accuracy + camera.accuracy)
