import type pg from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { RankedRow } from '../leaderboards/assign-ranks.ts'
import type { LeaderboardEntry } from '../leaderboards/schema.ts'
import type { Place } from '../ranks/tops/kept-top.ts'
import type { RankedStatements } from './ranked-sql.ts'

/** `total` is how many are ranked, `above` how many are better than the reader. */
type Counts = { total: number; above: number }
export type ComputedRow = RankedRow & Pick<LeaderboardEntry, 'ranking'>
export type ComputedRows = Counts & { rows: ComputedRow[] }
export type ComputedRank = Counts & ({ score: number; ranking: number } | { score: null; ranking: null })

/** Sends a statement; several callers may get the same rows. @param values those after what names the board */
export type RunRanked = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>

/**
 * Reads of one board that is worked out at each request.
 * @param own the place of the reader, if it is a hidden player: it is not counted
 */
export function rankedBoard({ page, around, one }: RankedStatements, written: OwnUrls['written'], run: RunRanked) {
  async function entries(text: string, values: unknown[]): Promise<ComputedRows> {
    const all = await run<ComputedRow & Counts>(text, values)
    const rows = all
      .filter(({ playerId }) => playerId !== null)
      .map((row) => ({ ...row, playerImageUrl: written(row.playerImageUrl) }))
    const { total, above } = all[0]!
    return { rows, total, above }
  }

  return {
    /** The best entries, or those after a place. */
    page: (count: number, after: Place | undefined, own?: Place): Promise<ComputedRows> =>
      entries(page, [null, count, after?.rankKey, after?.achievedAt, after?.playerId, own?.rankKey]),

    /** Entries with a player in the middle; none if it has no ranking. */
    around: (playerId: string, count: number): Promise<ComputedRows> =>
      entries(around, [null, count, playerId, null, null]),

    /** Entries with the reader in the middle, without its own. */
    aroundOwn: (own: Place, count: number): Promise<ComputedRows> =>
      entries(around, [null, count, own.playerId, own.rankKey, own.achievedAt]),

    /** Some players, ranked among each other. */
    among: (playerIds: string[], own?: Place): Promise<ComputedRows> =>
      entries(page, [playerIds, playerIds.length, null, null, null, own?.rankKey]),

    /** A player's score and rank, null if it has none. */
    one: async (playerId: string, own?: Place): Promise<ComputedRank> =>
      (await run<ComputedRank>(one, [null, playerId, own?.rankKey]))[0]!,
  }
}
export type RankedBoard = ReturnType<typeof rankedBoard>
