import type { ScoreMetadata } from '../scores/schema.ts'
import type { LeaderboardEntry } from './schema.ts'

/** An entry without its rank, as it is stored. */
type Unranked = Omit<LeaderboardEntry, 'ranking' | 'metadata'> & { metadata?: ScoreMetadata | null | undefined }

/** An entry of a board with what it is ordered by: the rank key (higher is better) and when it was reached (as PostgreSQL writes it in UTC). */
export type RankedRow = Unranked & { rankKey: number; achievedAt: string }

/**
 * Entries with their ranks, 1-2-2-4: equal scores share one.
 * @param rows in the order of their board
 * @param rankAt the rank of a row that begins a new score, at its place in `rows`; without it the rows begin at the top
 */
export function assignRanks(
  rows: RankedRow[],
  rankAt = (_row: RankedRow, place: number) => place + 1,
): LeaderboardEntry[] {
  let ranking = 0
  return rows.map((row, place) => {
    if (place === 0 || row.rankKey !== rows[place - 1]!.rankKey) ranking = rankAt(row, place)
    return entryOf(row, ranking)
  })
}

/** Member by member: with rest and spread, 100 entries took 69 to 98 µs to make and to write as JSON instead of 53 to 61. */
export const entryOf = (row: Unranked, ranking: number): LeaderboardEntry =>
  withMetadata(row, {
    playerId: row.playerId,
    playerDisplayName: row.playerDisplayName,
    playerScore: row.playerScore,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    gameSessionId: row.gameSessionId,
    playerImageUrl: row.playerImageUrl,
    userId: row.userId,
    ranking,
  })

function withMetadata({ metadata }: Unranked, entry: LeaderboardEntry): LeaderboardEntry {
  if (metadata) entry.metadata = metadata
  return entry
}
