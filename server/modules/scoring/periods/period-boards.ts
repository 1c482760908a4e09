import { setTimeout as sleep } from 'node:timers/promises'
import { singleFlight } from '../../../platform/concurrency/coalesce.ts'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { runOutsideRequest } from '../../../platform/database/request-context.ts'
import { unavailable } from '../../../platform/errors.ts'
import type { PeriodBoard, PeriodStore } from './period-store.ts'
import type { Window } from './schema.ts'

type Deps = { store: PeriodStore; onError: (error: unknown) => void }
type Of = { appId: string; typeKey: string }

/** Each holds a connection. */
const FILLS_AT_ONCE = 2
/** How long a request waits for a board that is filled. */
const WAIT_MS = 3_000

/** Boards of periods: of the current day, week or month of a mini game type, and of seasons. */
export function periodBoards({ store, onError }: Deps) {
  const fillOnce = singleFlight<void>()
  const limit = createConcurrencyLimiter({ maxConcurrent: FILLS_AT_ONCE })
  const fill = (of: Of, board: PeriodBoard) =>
    fillOnce(board.key, () => runOutsideRequest(() => limit(() => store.fill(of, board), { sender: of.appId })))

  /** Waits until a board has the scores that were written before it was made. @throws 503 if that takes longer */
  async function ready(of: Of, board: PeriodBoard): Promise<void> {
    if (board.isReady) return
    await Promise.race([fill(of, board), sleep(WAIT_MS, undefined, { ref: false })])
    if (!(await store.isReady(of.appId, board.key)))
      throw unavailable('This leaderboard is being made from scores already written: retry in a few seconds', 3)
  }

  return {
    ready,

    /** The board of the current window in a time zone, by the clock of the database. @throws 503 while it is being made */
    async current(of: Of, every: Window, timeZone: string): Promise<PeriodBoard> {
      const board = await store.window(of, every, timeZone)
      await ready(of, board)
      return board
    },

    /** Finishes boards whose process ended while it filled them. */
    async finish(): Promise<void> {
      for (const board of await store.unready()) await fill(board, board).catch(onError)
    },
  }
}
export type PeriodBoards = ReturnType<typeof periodBoards>
