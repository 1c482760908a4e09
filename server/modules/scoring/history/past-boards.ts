import type pg from 'pg'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { badRequest, invalid, unavailable } from '../../../platform/errors.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { type RankedBoard, type RunRanked, rankedBoard } from '../computed/ranked-board.ts'
import type { Board } from '../leaderboards/board-choice.ts'
import { beginningSql, pastBoardStatements } from './past-board-sql.ts'

/** Boards that a process works out at a time, and requests that wait for one. */
const AT_ONCE = 2
const WAITING = 20

type Deps = {
  /** Its statements take at most ten seconds. */
  pool: pg.Pool
  written: OwnUrls['written']
}
type Beginning = { begins: string | null; isBefore: boolean; isFuture: boolean }

/** Boards of types as they stood at a moment, worked out from the history of scores at each request. */
export function pastBoards({ pool, written }: Deps) {
  const limit = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: WAITING,
    full: () => unavailable('Many past leaderboards are being read: retry in a few seconds', 3),
  })

  /** The board at a moment. Its reads throw 400 for a moment that is not in the history, 503 if too many are read or one takes too long. */
  return ({ appId, key }: Pick<Board, 'appId' | 'key'>, at: string): RankedBoard => {
    const run: RunRanked = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
      const { rows } = await pool.query<Beginning>(beginningSql, [appId, key, at])
      checkMoment(rows[0]!)
      const all = [appId, key, at, ...values]
      return limit(async () => (await pool.query<Row>(text, all).catch(tooSlow)).rows, { sender: appId })
    }
    return rankedBoard(pastBoardStatements, written, run)
  }
}

function checkMoment({ begins, isBefore, isFuture }: Beginning): void {
  if (isFuture) throw wrongMoment('must not be in the future')
  if (begins === null)
    throw badRequest('This mini game type keeps no history: set its historyDays, and use at for later moments')
  if (isBefore)
    throw wrongMoment(
      `must not be before the history of this leaderboard, which begins at ${new Date(begins).toISOString()}`,
    )
}

const wrongMoment = (message: string) => invalid([{ code: 'custom', message, path: ['at'] }])

function tooSlow(error: Error & { code?: string }): never {
  if (error.code !== '57014') throw error
  throw unavailable(
    'This leaderboard takes more than 10 seconds to compute for that moment: choose a later one, or fewer players',
    60,
  )
}
