import type { Fence } from '../matching/fence-set.ts'
import { type Fix, LATE_MS } from '../matching/movement.ts'
import { isReachable } from '../matching/plausible.ts'
import type { CheckInRule } from '../records/schema.ts'
import { isOpen } from './opening-hours.ts'
import type { Refusal } from './schema.ts'

export type Judgement = { refused: Refusal } | { heldFor: 'mocked' | undefined }

/**
 * Judges a check-in by its rule, in the order of {@link Refusal}. @param plausible the newest plausible fix of the
 * player @param now milliseconds since 1970, by the service
 */
export function judge(
  fence: Fence,
  rule: CheckInRule | null,
  fix: Fix,
  plausible: Fix | undefined,
  now: number,
): Judgement {
  if (!rule) return { refused: 'no_check_ins' }
  if (fix.at < now - LATE_MS) return { refused: 'old_fix' }
  if (fix.accuracy > rule.maxAccuracy) return { refused: 'accuracy' }
  // Inside, as far as the accuracy can tell.
  if (!fence.isWithin(fix.lat, fix.lon, fix.accuracy)) return { refused: 'outside' }
  if (rule.within && !isOpen(rule.within, rule.timeZone, now)) return { refused: 'closed' }
  if (plausible && !isReachable(plausible, fix, rule.maxSpeed)) return { refused: 'speed' }
  return { heldFor: fix.mocked && !rule.allowMocked ? 'mocked' : undefined }
}
