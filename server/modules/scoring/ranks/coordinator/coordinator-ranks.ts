import { UnknownOutcome } from '../../../../platform/errors.ts'
import type { Coordinator } from '../../../../platform/processes/coordinator.ts'
import type { RankKeeper } from '../rank-provider.ts'
import type { Ranks } from '../ranks.ts'
import { coordinatorTops } from './coordinator-tops.ts'
import { CALLS, type Calls } from './rank-calls.ts'

/** How long a rank waits for the coordinator. Then it comes from the database, which is always right. */
const PATIENCE_MS = 1_000

type Deps = {
  coordinator: Coordinator
  /** Called for each written score, of any process. */
  wrote: (appId: string, boardKey: string) => void
  /** Any board may have been written to. */
  wroteAny: () => void
}

/**
 * Ranks and writes of scores in a serving process that has a coordinator. The coordinator does both, so that ranks
 * include every answered write as in a single process, and a killed serving process leaves nothing undone.
 */
export function coordinatorRanks({ coordinator, wrote, wroteAny }: Deps): Ranks {
  coordinator.answer('wrote', wrote)
  coordinator.whenConnected(wroteAny)

  const boards: RankKeeper = {
    above: (...args) => coordinator.askWithin(PATIENCE_MS, 'ranks.above', ...args),
    size: (...args) => coordinator.askWithin(PATIENCE_MS, 'ranks.size', ...args),
    ready: () => undefined,
    apply: () => undefined, // the coordinator has applied what it wrote
    unload: (appIds) =>
      coordinator.call<void>('ranks.unload', [...appIds]).catch((error) => {
        // The next coordinator has loaded nothing yet.
        if (!(error instanceof UnknownOutcome)) throw error
      }),
    // The coordinator follows the same changes.
    unloadAll: () => {},
    discard: () => undefined,
    forget: (appId) => coordinator.notify('ranks.forget', appId),
  }
  const calls = Object.fromEntries(
    Object.keys(CALLS).map((name) => [name, (...args: unknown[]) => coordinator.call(`scores.${name}`, ...args)]),
  ) as unknown as Calls

  return {
    boards,
    load: (...args) => coordinator.call('ranks.load', ...args),
    calls: { ...calls, settled: async () => {} },
    writer: { save: (item) => coordinator.call('scores.write', item) },
    counters: { checks: 0, mismatches: 0 },
    bytes: () => 0,
    tops: undefined,
    topsElsewhere: coordinatorTops(coordinator),
    shared: undefined,
    start: async () => {},
    stop: async () => {},
  }
}
