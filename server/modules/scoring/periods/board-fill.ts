import { setTimeout as sleep } from 'node:timers/promises'
import { singleFlight } from '../../../platform/concurrency/coalesce.ts'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { runOutsideRequest } from '../../../platform/database/request-context.ts'
import { type HttpError, unavailable } from '../../../platform/errors.ts'

/** Each holds a connection. */
const FILLS_AT_ONCE = 2
/** How long requests wait for a board, from the first one that starts to fill it. */
const WAIT_MS = 300

type Fill = {
  /** Concurrent calls with the same key share one fill. */
  key: string
  appId: string
  fill: () => Promise<void>
  isReady: () => Promise<boolean>
}

/** The error for a board that is neither made nor can be read from scores. */
export const beingMade = (retryAfterSeconds = 3): HttpError =>
  unavailable('This leaderboard is being made from scores already written: retry in a few seconds', retryAfterSeconds)

/** Puts scores that were written before a board was made on it, a few boards at once. */
export function boardFills({ onError }: { onError: (error: unknown) => void }) {
  const fillOnce = singleFlight<void>()
  const limit = createConcurrencyLimiter({ maxConcurrent: FILLS_AT_ONCE })
  const start = ({ key, appId, fill }: Omit<Fill, 'isReady'>) =>
    fillOnce(key, () => runOutsideRequest(() => limit(fill, { sender: appId })))
  /** By the key of a fill under way. */
  const waits = new Map<string, Promise<unknown>>()

  function waitFor(board: Fill): Promise<unknown> {
    const filled = start(board)
    const wait = waits.get(board.key) ?? Promise.race([filled, sleep(WAIT_MS, undefined, { ref: false })])
    if (!waits.has(board.key)) {
      waits.set(board.key, wait)
      const done = () => waits.delete(board.key)
      filled.then(done, done)
    }
    return wait
  }

  return {
    start,

    /**
     * Fills a board. @returns whether it is ready; false if that takes longer than requests wait, and goes on, or fails:
     * another request or a job tries again
     */
    async ready(board: Fill): Promise<boolean> {
      await waitFor(board).catch(onError)
      return board.isReady()
    },
  }
}
export type BoardFills = ReturnType<typeof boardFills>
