import { groupWriter } from '../../../platform/concurrency/group-writer.ts'
import { invalid, unavailable } from '../../../platform/errors.ts'
import type { FenceSets } from '../matching/fence-sets.ts'
import { advance, type FenceEvent, type Fix, type Ignored } from '../matching/movement.ts'
import { newestPlausible } from '../matching/plausible.ts'
import { fixOf } from './fix.ts'
import type { FenceEventRecord, FixInput, PositionsAnswer } from './schema.ts'
import type { PlayerOfApp, PositionStore, PositionWrite } from './store.ts'

type Deps = { store: PositionStore; sets: FenceSets }

type Item = PlayerOfApp & { fixes: Fix[] }
type Outcome = { events: FenceEvent[]; ignored: { index: number; reason: Ignored }[] } | { error: unknown }

/** How far ahead of the service the clock of a device may be. */
const MAX_AHEAD_MS = 60_000
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
export const shownEvent = ({ type, fence, at }: FenceEvent): FenceEventRecord => ({
  type,
  fenceId: fence.id,
  name: fence.name,
  zoneId: fence.zoneId,
  pinId: fence.pinId,
  at: new Date(at).toISOString(),
})

/** @throws 400 for each time that is too far in the future. */
export function assertNotAhead(times: { at: number; path: (string | number)[] }[]): void {
  const latest = Date.now() + MAX_AHEAD_MS
  const ahead = times.filter(({ at }) => at > latest)
  if (ahead.length === 0) return
  const message = 'is in the future: set the clock of the device'
  throw invalid(ahead.map(({ path }) => ({ code: 'clock_ahead', message, path })))
}

export type PositionService = ReturnType<typeof positionService>

/** The positions of players, and what they show at fences. */
export function positionService({ store, sets }: Deps) {
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
        failed(unavailable('Several devices write the position of this player: try again', 1))
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
    const held = await store.read(items)
    return Promise.all(
      items.map(async ({ appId, playerId, fixes }, i) => {
        const { version, fix, plausible, stays, fences } = held[i]!
        const set = await sets.of(appId, fences).catch((error: unknown) => ({ error }))
        // The fault of one app must not fail the others of the group.
        if ('error' in set) return { write: undefined, outcome: set }
        const { movement, events, ignored } = advance({ last: fix ?? undefined, stays }, fixes, set, Date.now())
        const outcome = { events, ignored }
        if (ignored.length === fixes.length) return { write: undefined, outcome }
        const write: PositionWrite = {
          appId,
          playerId,
          version,
          fix: movement.last!,
          plausible: newestPlausible(plausible ?? undefined, fixes)!,
          stays: movement.stays,
          events: events.map((event) => {
            const { type, ...data } = shownEvent(event)
            return { type: WEBHOOKS[type], data: { playerId, ...data } }
          }),
        }
        return { write, outcome }
      }),
    )
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
