import { groupWriter } from '../../../platform/concurrency/group-writer.ts'
import { invalid, unavailable } from '../../../platform/errors.ts'
import type { FenceSets } from '../matching/fence-sets.ts'
import type { Fix } from '../matching/fix.ts'
import { type Advance, advance, type FenceEvent } from '../matching/movement.ts'
import { CLOCK_MS } from '../matching/plausible.ts'
import { fixOf } from './fix.ts'
import type { FenceEventRecord, FixInput, PositionsAnswer } from './schema.ts'
import type { SharedFixes } from './shared-fixes.ts'
import type { Held, PlayerOfApp, PositionStore, PositionWrite } from './store.ts'

type Deps = { store: PositionStore; sets: FenceSets; sharedFixes: Pick<SharedFixes, 'note'> }

type Item = PlayerOfApp & { fixes: Fix[] }
type Outcome = Pick<Advance, 'events' | 'ignored'> | { error: unknown }

/** Several devices may write one player; each attempt is decided by one of them. */
const MAX_ATTEMPTS = 20

const WEBHOOKS = { enter: 'fence.entered', exit: 'fence.exited', dwell: 'fence.dwelled' } as const

const TYPES = { 'fence.entered': 'enter', 'fence.exited': 'exit', 'fence.dwelled': 'dwell' } as const

/** The event of a stream, of the one that webhooks get. */
export const streamedEvent = ({ event: { type, data } }: { event: { type: string; data: object } }): object => ({
  type: TYPES[type as keyof typeof TYPES],
  ...data,
})

/** An event as the API returns it. */
export const shownEvent = ({ type, fence, at, doubts }: FenceEvent): FenceEventRecord => ({
  type,
  fenceId: fence.id,
  name: fence.name,
  zoneId: fence.zoneId,
  pinId: fence.pinId,
  at: new Date(at).toISOString(),
  doubts,
})

/** @throws 400 for each time that is too far in the future. */
export function assertNotAhead(times: { at: number; path: (string | number)[] }[]): void {
  const latest = Date.now() + CLOCK_MS
  const ahead = times.filter(({ at }) => at > latest)
  if (ahead.length === 0) return
  const message = 'is in the future: set the clock of the device'
  throw invalid(ahead.map(({ path }) => ({ code: 'clock_ahead', message, path })))
}

const NONE: ReadonlySet<Fix> = new Set()

const movementOf = ({ fix, plausible, stays }: Held) => ({
  last: fix ?? undefined,
  plausible: plausible ?? undefined,
  stays,
})

function enteringFixes({ fixes, ...player }: Item, advanced: Advance | { error: unknown }) {
  const events = 'events' in advanced ? advanced.events : []
  const entered = new Set(events.flatMap(({ type, at }) => (type === 'enter' ? [at] : [])))
  return fixes.filter(({ at }) => entered.has(at)).map((fix) => ({ ...player, fix }))
}

const writeOf = (
  { appId, playerId }: Item,
  { version }: Held,
  { movement: { last, plausible, stays }, events }: Advance,
): PositionWrite => ({
  ...{ appId, playerId, version, fix: last!, plausible: plausible!, stays },
  events: events.map((event) => {
    const { type, ...data } = shownEvent(event)
    return { type: WEBHOOKS[type], data: { playerId, ...data } }
  }),
})

export type PositionService = ReturnType<typeof positionService>

/** The positions of players, and what they show at fences. */
export function positionService({ store, sets, sharedFixes }: Deps) {
  /** Applies the fixes of each player, who is in the group once. */
  async function saveGroup(items: Item[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    let left = items.map((_, n) => n)
    for (let attempt = 0; left.length > 0; attempt++) {
      // Others of the group may be written already: a fault is that of those who are left.
      const failed = (error: unknown) => {
        if (attempt === 0) throw error
        for (const n of left) outcomes[n] = { error }
        return undefined
      }
      if (attempt === MAX_ATTEMPTS) {
        failed(unavailable('Several devices are writing the position of this player: try again', 1))
        break
      }
      const advances = await advanceAll(left.map((n) => items[n]!)).catch(failed)
      const writes = advances?.flatMap(({ write }) => write ?? []) ?? []
      const written = writes.length > 0 ? await store.write(writes).catch(failed) : new Set<number>()
      if (!advances || !written) break
      const again: number[] = []
      let at = 0
      for (const [i, { write, outcome }] of advances.entries()) {
        if (write && !written.has(at++)) again.push(left[i]!)
        else outcomes[left[i]!] = outcome
      }
      left = again
    }
    return outcomes
  }

  async function advanceAll(items: Item[]): Promise<{ write: PositionWrite | undefined; outcome: Outcome }[]> {
    const [held, now] = [await store.read(items), Date.now()]
    const known = await Promise.all(
      // The fault of one app must not fail the others of the group.
      items.map(({ appId }, i) => sets.of(appId, held[i]!.fences).catch((error: unknown) => ({ error }))),
    )
    const apply = (i: number, shared: ReadonlySet<Fix>): Advance | { error: unknown } => {
      const set = known[i]!
      return 'error' in set ? set : advance(movementOf(held[i]!), items[i]!.fixes, { set, now, shared })
    }
    const advances = items.map((_, i) => apply(i, NONE))
    const shared = await sharedFixes.note(items.flatMap((item, i) => enteringFixes(item, advances[i]!)))
    return items.map((item, i) => {
      const advanced = item.fixes.some((fix) => shared.has(fix)) ? apply(i, shared) : advances[i]!
      if ('error' in advanced) return { write: undefined, outcome: advanced }
      const { events, ignored } = advanced
      const isSame = ignored.length === item.fixes.length
      return { write: isSame ? undefined : writeOf(item, held[i]!, advanced), outcome: { events, ignored } }
    })
  }

  const writer = groupWriter<Item, Outcome>({
    keyOf: ({ appId, playerId }) => `${appId} ${playerId}`,
    save: async (item) => (await saveGroup([item]))[0]!,
    saveGroup,
  })

  return {
    /** @throws 400 for a time in the future */
    async report(player: PlayerOfApp, fixes: FixInput[]): Promise<PositionsAnswer> {
      const own = fixes.map(fixOf)
      assertNotAhead(own.map(({ at }, i) => ({ at, path: ['fixes', i, 'at'] })))
      const outcome = await writer.save({ ...player, fixes: own })
      if ('error' in outcome) throw outcome.error
      return { events: outcome.events.map(shownEvent), ignored: outcome.ignored }
    },
  }
}
