import { judge } from '../check-ins/judge.ts'
import type { HeldFor, Refusal } from '../check-ins/schema.ts'
import type { Fence, FenceSet } from '../matching/fence-set.ts'
import type { Fix } from '../matching/fix.ts'
import { advance, type FenceEvent, type Movement } from '../matching/movement.ts'
import type { Plausible } from '../matching/plausible.ts'

/** A judgement of a check-in at a fence with the fix of a time. */
export type Judged = {
  fence: Fence
  at: number
  state: 'accepted' | 'refused' | 'held'
  reason: Refusal | HeldFor | null
}

const NONE: ReadonlySet<Fix> = new Set()

/**
 * What the fixes of a player whom nothing is known of would show, each reported when it is measured, and how check-ins
 * would be judged. Writes nothing. @param most events and judgements together
 */
export function simulate(
  fixes: readonly Fix[],
  set: FenceSet,
  most: number,
): { events: FenceEvent[]; judged: Judged[]; isCut: boolean } {
  const events: FenceEvent[] = []
  const judged: Judged[] = []
  /** By fence, the last judgement of the stay. */
  const last = new Map<string, Judged>()
  let movement: Movement = { last: undefined, plausible: undefined, stays: [] }
  for (const fix of fixes.toSorted((a, b) => a.at - b.at)) {
    if (events.length + judged.length >= most) return { events, judged, isCut: true }
    const { plausible } = movement
    const step = advance(movement, [fix], { set, now: fix.at, shared: NONE })
    movement = step.movement
    events.push(...step.events)
    for (const { type, fence } of step.events) if (type === 'exit') last.delete(fence.id)
    for (const { fence: id, until } of movement.stays) {
      const fence = set.get(id)
      if (!fence?.checkIn || until !== undefined || last.get(id)?.state === 'accepted') continue
      const judgement = judgedAt(fence, fix, plausible)
      if (last.get(id)?.reason === judgement.reason) continue
      last.set(id, judgement)
      judged.push(judgement)
    }
  }
  return { events, judged, isCut: false }
}

function judgedAt(fence: Fence, fix: Fix, plausible: Plausible | undefined): Judged {
  const outcome = judge(fence, fence.checkIn, { fix }, plausible, fix.at)
  if ('refused' in outcome) return { fence, at: fix.at, state: 'refused', reason: outcome.refused }
  const { heldFor } = outcome
  return { fence, at: fix.at, state: heldFor ? 'held' : 'accepted', reason: heldFor ?? null }
}
