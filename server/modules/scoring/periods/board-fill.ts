import { setTimeout as sleep } from 'node:timers/promises'
import { singleFlight } from '../../../platform/concurrency/coalesce.ts'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { runOutsideRequest } from '../../../platform/database/request-context.ts'
import { unavailable } from '../../../platform/errors.ts'

/** Each holds a connection. */
const FILLS_AT_ONCE = 2
/** How long a request waits for a board that is filled. */
const WAIT_MS = 3_000

type Fill = {
  /** Concurrent calls with the same key share one fill. */
  key: string
  appId: string
  fill: () => Promise<void>
  isReady: () => Promise<boolean>
}

/** Puts scores that were written before a board was made on it, a few boards at once. */
export function boardFills() {
  const fillOnce = singleFlight<void>()
  const limit = createConcurrencyLimiter({ maxConcurrent: FILLS_AT_ONCE })
  const start = ({ key, appId, fill }: Omit<Fill, 'isReady'>) =>
    fillOnce(key, () => runOutsideRequest(() => limit(fill, { sender: appId })))

  return {
    start,

    /** Fills a board. @throws 503 if that takes longer than a request waits */
    async ready(board: Fill): Promise<void> {
      await Promise.race([start(board), sleep(WAIT_MS, undefined, { ref: false })])
      if (!(await board.isReady()))
        throw unavailable('This leaderboard is being made from scores already written: retry in a few seconds', 3)
    },
  }
}
export type BoardFills = ReturnType<typeof boardFills>
