import type pg from 'pg'
import { coalesce } from '../../../platform/concurrency/coalesce.ts'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { Board } from '../leaderboards/board-choice.ts'
import { beingMade } from '../periods/board-fill.ts'
import { type RankedBoard, type RunRanked, rankedBoard } from './ranked-board.ts'
import { unmadeStatements } from './unmade-board-sql.ts'

/** Boards that a process works out at a time, and reads that wait for one. */
const AT_ONCE = 2
const WAITING = 20
/** Later, the board is made or nearly so, and cheaper to read. */
const LONGEST_WAIT_MS = 5_000
/** Seconds until a read that took too long may be tried again. */
const AFTER_TIMEOUT = 15

type Deps = {
  /** On the primary, so that each read has what was written before it. Its statements take at most ten seconds. */
  pool: pg.Pool
  written: OwnUrls['written']
}

/** Boards whose rows are not all there yet, worked out from scores at each request. */
export function unmadeBoards({ pool, written }: Deps) {
  const limit = createConcurrencyLimiter({ maxConcurrent: AT_ONCE, maxWaiting: WAITING, full: beingMade })
  /** Many players ask for the same entries of a new board. */
  const share = coalesce<pg.QueryResultRow[]>()

  /** Its reads throw 503 if too many are read, one takes too long, or its period is over. */
  return (board: Board): RankedBoard => {
    const { appId } = board
    const { statements, names } = sourceOf(board)
    const read = async (text: string, all: unknown[]) => {
      const { rows } = await pool.query<{ isOver: boolean }>(text, all).catch(tooSlow)
      if (rows[0]!.isOver) throw beingMade()
      return rows
    }
    const run = (text: string, values: unknown[]) => {
      const all = [...names, ...values]
      const askedAt = performance.now()
      const runInTurn = () => {
        const inTime = async () => {
          if (performance.now() - askedAt > LONGEST_WAIT_MS) throw beingMade()
          return read(text, all)
        }
        return limit(inTime, { sender: appId })
      }
      return share(JSON.stringify([text, all]), runInTurn)
    }
    return rankedBoard(statements, written, run as RunRanked)
  }
}

function sourceOf({ appId, typeKey, period, segment, wholeKey, unmade }: Board) {
  const ofSegment = segment ? [segment.name, segment.value] : []
  if (unmade === 'scores') {
    const statements = segment ? unmadeStatements.scoresOfSegment : unmadeStatements.scores
    return { statements, names: [appId, typeKey, wholeKey, ...ofSegment] }
  }
  return {
    statements: period ? unmadeStatements.periodBests : unmadeStatements.bests,
    names: [appId, wholeKey, ...ofSegment],
  }
}

function tooSlow(error: Error & { code?: string }): never {
  throw error.code === '57014' ? beingMade(AFTER_TIMEOUT) : error
}
