import type { Doubt } from '../positions/schema.ts'
import { doubtsOf, type Known, uniqueDoubts } from './doubts.ts'
import type { Fence, FenceSet } from './fence-set.ts'
import { type Fix, LATE_MS } from './fix.ts'
import { nextPlausible, type Plausible, settled } from './plausible.ts'

/** A stay of a player in a fence; `until` is missing while it lasts. Times as in a fix. */
export type Stay = {
  fence: string
  since: number
  /** When it was reported to begin, if a late fix has shown that it began earlier. */
  entered?: number
  until?: number
  dwelled?: true
  /** About the fixes with which it began. */
  doubts?: Doubt[]
}

/** What the service holds of a player's movement. */
export type Movement = { last: Fix | undefined; plausible: Plausible | undefined; stays: Stay[] }

export type FenceEvent = { type: 'enter' | 'exit' | 'dwell'; fence: Fence; at: number; doubts: Doubt[] }

/** A request reports at most about this many events; the fixes after them are ignored, and can be sent again. */
const MAX_EVENTS = 500
/** Stays that have ended are kept for late fixes, up to this many. */
const MAX_ENDED = 200

/** Why a fix changed nothing. */
export type Ignored = 'duplicate' | 'too_old' | 'too_many_events'

/** A player's movement after some fixes, what happened at fences, and the fixes that changed nothing, by their index. */
export type Advance = {
  movement: Movement
  events: FenceEvent[]
  ignored: { index: number; reason: Ignored }[]
}

/** What fixes are judged by: the fences, the service's clock, and the fixes that too many other players have sent. */
export type Circumstances = { set: FenceSet } & Omit<Known, 'plausible'>

/**
 * Applies fixes to a player's movement.
 *
 * A fix counts for a fence whose `maxAccuracy` its accuracy does not exceed. A player enters with a fix inside, and
 * leaves with one that is farther outside than its own accuracy, so that an uncertain fix at the edge reports nothing.
 * A player who is inside for `dwellSeconds` dwells, once a stay, at the first fix after that.
 *
 * A fix older than LATE_MS is ignored. One older than the newest reports a stay that no other fix has shown: it ends at the newest
 * fix. It does not end a stay. One just before a known stay makes that begin earlier and reports nothing.
 *
 * An event has the doubts about the fix that shows it, and those about the fixes with which the stay began.
 */
export function advance(before: Movement, fixes: readonly Fix[], { set, ...known }: Circumstances): Advance {
  const movement: Movement = { ...before, stays: before.stays.map((stay) => ({ ...stay })) }
  const events: FenceEvent[] = []
  const ignored: Advance['ignored'] = []
  const inOrder = fixes.map((fix, index) => ({ fix, index })).toSorted((a, b) => a.fix.at - b.fix.at)
  for (const { fix, index } of inOrder) {
    const { last, plausible } = movement
    const doubts = (fence: Fence) => doubtsOf(fix, fence, { ...known, plausible })
    if (events.length >= MAX_EVENTS) ignored.push({ index, reason: 'too_many_events' })
    else if (fix.at < Math.max(known.now, last?.at ?? 0) - LATE_MS) ignored.push({ index, reason: 'too_old' })
    else if (last && fix.at === last.at) ignored.push({ index, reason: 'duplicate' })
    else {
      if (last && fix.at < last.at) events.push(...applyLate(movement, { fix, doubts }, last.at, set))
      else events.push(...applyNext(movement, { fix, doubts }, set))
      movement.plausible = nextPlausible(plausible, fix, known.now)
    }
  }
  if (movement.plausible) movement.plausible = settled(movement.plausible)
  return { movement, events: events.toSorted((a, b) => a.at - b.at), ignored }
}

type Judged = { fix: Fix; doubts: (fence: Fence) => Doubt[] }

const isOpen = ({ until }: Stay) => until === undefined
const countsFor = (fix: Fix, { maxAccuracy }: Fence) => fix.accuracy <= maxAccuracy
const noted = (doubts: Doubt[]) => (doubts.length > 0 ? { doubts } : {})

function applyNext(movement: Movement, judged: Judged, set: FenceSet): FenceEvent[] {
  const { fix } = judged
  const events: FenceEvent[] = []
  const stays: Stay[] = []
  for (const stay of movement.stays) {
    const fence = set.get(stay.fence)
    // A deleted fence has no more events.
    if (!fence) continue
    if (isOpen(stay) && countsFor(fix, fence)) events.push(...continueStay(stay, fence, judged))
    if (isOpen(stay) || stay.until! >= fix.at - LATE_MS) stays.push(stay)
  }
  const inside = new Set(stays.filter(isOpen).map(({ fence }) => fence))
  for (const fence of set.around(fix.lat, fix.lon)) {
    if (inside.has(fence.id) || !countsFor(fix, fence)) continue
    const doubts = judged.doubts(fence)
    stays.push({ fence: fence.id, since: fix.at, ...noted(doubts) })
    events.push({ type: 'enter', fence, at: fix.at, doubts })
  }
  const ended = stays.filter((stay) => !isOpen(stay))
  movement.stays = [...stays.filter(isOpen), ...ended.slice(-MAX_ENDED)]
  movement.last = fix
  return events
}

function continueStay(stay: Stay, fence: Fence, { fix, doubts }: Judged): FenceEvent[] {
  if (!fence.isWithin(fix.lat, fix.lon, fix.accuracy)) {
    stay.until = fix.at
    return [{ type: 'exit', fence, at: fix.at, doubts: uniqueDoubts(stay.doubts, doubts(fence)) }]
  }
  const { dwellSeconds } = fence
  if (dwellSeconds === null || stay.dwelled || fix.at - stay.since < dwellSeconds * 1000) return []
  stay.dwelled = true
  const at = Math.max(stay.entered ?? 0, stay.since + dwellSeconds * 1000)
  return [{ type: 'dwell', fence, at, doubts: uniqueDoubts(stay.doubts, doubts(fence)) }]
}

function applyLate(movement: Movement, { fix, ...judged }: Judged, newest: number, set: FenceSet): FenceEvent[] {
  const events: FenceEvent[] = []
  const byFence = Map.groupBy(movement.stays, ({ fence }) => fence)
  for (const fence of set.around(fix.lat, fix.lon)) {
    if (!countsFor(fix, fence)) continue
    const stays = byFence.get(fence.id) ?? []
    if (stays.some(({ since, until = Number.POSITIVE_INFINITY }) => since <= fix.at && fix.at <= until)) continue
    const doubts = judged.doubts(fence)
    const [next] = stays.filter(({ since }) => since > fix.at).toSorted((a, b) => a.since - b.since)
    if (next) {
      next.entered ??= next.since
      next.since = fix.at
      Object.assign(next, noted(uniqueDoubts(next.doubts, doubts)))
      continue
    }
    movement.stays.push({ fence: fence.id, since: fix.at, until: newest, ...noted(doubts) })
    events.push({ type: 'enter', fence, at: fix.at, doubts }, { type: 'exit', fence, at: newest, doubts })
  }
  return events
}
