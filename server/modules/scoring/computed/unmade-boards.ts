import type pg from 'pg'
import { coalesce } from '../../../platform/concurrency/coalesce.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { Board } from '../leaderboards/board-choice.ts'
import { beingMade } from '../periods/board-fill.ts'
import type { BoardQueries } from './board-queries.ts'
import { type RankedBoard, type RunRanked, rankedBoard } from './ranked-board.ts'
import { unmadeStatements } from './unmade-board-sql.ts'

/** Later, the board is made or nearly so, and cheaper to read. */
const LONGEST_WAIT_MS = 5_000
/** Seconds until a read that took too long may be tried again. */
const AFTER_TIMEOUT = 15

type Deps = {
  /** On the primary, so that each read has what was written before it. */
  query: BoardQueries
  written: OwnUrls['written']
}

/** Boards whose rows are not all there yet, worked out from scores at each request. */
export function unmadeBoards({ query, written }: Deps) {
  /** Many players ask for the same entries of a new board. */
  const share = coalesce<pg.QueryResultRow[]>()

  /** Its reads throw 503 if too many are read, one takes too long, or its period is over. */
  return (board: Board): RankedBoard => {
    const { appId } = board
    const { statements, names } = sourceOf(board)
    const run = (text: string, more: unknown[]) => {
      const values = [...names, ...more]
      const askedAt = performance.now()
      return share(JSON.stringify([text, values]), async () => {
        const rows = await query<{ isOver: boolean }>({
          appId,
          text,
          values,
          tooSlow: () => beingMade(AFTER_TIMEOUT),
          begin: () => {
            if (performance.now() - askedAt > LONGEST_WAIT_MS) throw beingMade()
          },
        })
        if (rows[0]!.isOver) throw beingMade()
        return rows
      })
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
