import type pg from 'pg'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { badRequest, invalid, unavailable } from '../../../platform/errors.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { RankedRow } from '../leaderboards/assign-ranks.ts'
import type { Board } from '../leaderboards/board-choice.ts'
import type { LeaderboardEntry } from '../leaderboards/schema.ts'
import type { Place } from '../ranks/tops/kept-top.ts'
import { beginningSql, pastBoardStatements } from './past-board-sql.ts'

/** Boards that a process works out at a time, and requests that wait for one. */
const AT_ONCE = 2
const WAITING = 20

type Deps = {
  /** Its statements take at most ten seconds. */
  pool: pg.Pool
  written: OwnUrls['written']
}
export type PastRow = RankedRow & Pick<LeaderboardEntry, 'ranking'>
export type PastRank = ({ score: number; ranking: number } | { score: null; ranking: null }) & { total: number }
type Found = { rows: PastRow[]; total: number }
type Beginning = { begins: string | null; isBefore: boolean; isFuture: boolean }

/** Boards of types as they stood at a moment, worked out from the history of scores at each request. */
export function pastBoards({ pool, written }: Deps) {
  const limit = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: WAITING,
    full: () => unavailable('Many past leaderboards are being read: retry in a few seconds', 3),
  })

  /** @throws 400 for a moment that is not in the history, 503 if too many are read or one takes too long */
  async function read<Row extends pg.QueryResultRow>(
    { appId, key, type }: Board,
    at: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    const { rows } = await pool.query<Beginning>(beginningSql, [appId, key, at])
    checkMoment(rows[0]!)
    const all = [appId, key, at, type?.sortOrder === 'asc', ...values]
    return limit(async () => (await pool.query<Row>(text, all).catch(tooSlow)).rows, { sender: appId })
  }

  async function entries(board: Board, at: string, text: string, values: unknown[]): Promise<Found> {
    const rows = await read<PastRow & { total: number; place: number }>(board, at, text, values)
    const found = rows.filter(({ playerId }) => playerId !== null)
    for (const row of found) row.playerImageUrl = written(row.playerImageUrl)
    return { rows: found, total: rows[0]!.total }
  }

  return {
    /** The best entries, or those after a place. */
    page: (board: Board, at: string, count: number, after: Place | undefined): Promise<Found> =>
      entries(board, at, pastBoardStatements.page, [null, count, after?.rankKey, after?.achievedAt, after?.playerId]),

    /** Entries with a player in the middle; none if it had no ranking. */
    around: (board: Board, at: string, playerId: string, count: number): Promise<Found> =>
      entries(board, at, pastBoardStatements.around, [null, count, playerId]),

    /** Some players, ranked among each other. */
    among: (board: Board, at: string, playerIds: string[]): Promise<Found> =>
      entries(board, at, pastBoardStatements.page, [playerIds, playerIds.length, null, null, null]),

    /** A player's score and rank, null if it had none, and how many were ranked. */
    async one(board: Board, at: string, playerId: string): Promise<PastRank> {
      return (await read<PastRank>(board, at, pastBoardStatements.one, [null, playerId]))[0]!
    },
  }
}
export type PastBoards = ReturnType<typeof pastBoards>

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
