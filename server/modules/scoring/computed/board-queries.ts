import type pg from 'pg'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { type HttpError, unavailable } from '../../../platform/errors.ts'

/** Of the four connections for searches, one stays free for others. */
const AT_ONCE = 3
const WAITING = 20

type Query = {
  /** The app of the board: apps take turns. */
  appId: string
  text: string
  values: unknown[]
  /** Thrown if the statement takes too long. */
  tooSlow: () => HttpError
  /** Called when it is the statement's turn; throws if it is no longer worth its time. */
  begin?: () => void
}

/**
 * Runs statements that compute boards, a few at a time in a process.
 * @param pool for searches; its statements take at most ten seconds
 * @returns runs one; throws 503 if too many wait, or it takes too long
 */
export function boardQueries(pool: pg.Pool) {
  const limit = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: WAITING,
    full: () => unavailable('Many leaderboards are being computed: retry in a few seconds', 3),
  })
  return async <Row extends pg.QueryResultRow>({ appId, text, values, tooSlow, begin }: Query): Promise<Row[]> =>
    limit(
      async () => {
        begin?.()
        const { rows } = await pool.query<Row>(text, values).catch((error: Error & { code?: string }) => {
          throw error.code === '57014' ? tooSlow() : error
        })
        return rows
      },
      { sender: appId },
    )
}
export type BoardQueries = ReturnType<typeof boardQueries>
