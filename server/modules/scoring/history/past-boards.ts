import type pg from 'pg'
import { badRequest, invalid, unavailable } from '../../../platform/errors.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { BoardQueries } from '../computed/board-queries.ts'
import { type RankedBoard, rankedBoard } from '../computed/ranked-board.ts'
import type { Board } from '../leaderboards/board-choice.ts'
import { beginningSql, pastBoardStatements } from './past-board-sql.ts'

type Deps = {
  /** Its statements take at most ten seconds. */
  pool: pg.Pool
  query: BoardQueries
  written: OwnUrls['written']
}
type Beginning = { begins: string | null; isBefore: boolean; isFuture: boolean }

/** Boards of types as they stood at a moment, worked out from the history of scores at each request. */
export function pastBoards({ pool, query, written }: Deps) {
  /** The board at a moment. Its reads throw 400 for a moment that is not in the history, 503 if too many are read or one takes too long. */
  return ({ appId, key }: Pick<Board, 'appId' | 'key'>, at: string): RankedBoard =>
    rankedBoard(pastBoardStatements, written, async (text, values) => {
      const { rows } = await pool.query<Beginning>(beginningSql, [appId, key, at])
      checkMoment(rows[0]!)
      return query({ appId, text, values: [appId, key, at, ...values], tooSlow })
    })
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

const tooSlow = () =>
  unavailable(
    'This leaderboard takes more than 10 seconds to compute for that moment: choose a later one, or fewer players',
    60,
  )
