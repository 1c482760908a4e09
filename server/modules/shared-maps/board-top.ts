import { HttpError } from '../../platform/errors.ts'
import type { LeaderboardEntry, Scoring } from '../scoring/index.ts'
import type { ShownBoard } from './schema.ts'

/** The best of a leaderboard; `name` is that of its mini game type, `null` for the default game. */
type BoardTop = { name: string | null; entries: ShownBoard['entries'] }

/** Reads the best of a leaderboard of all time. The result is undefined for an unknown mini game type. */
export const boardTop =
  (boardOfType: Scoring['boardOfType']) =>
  async (appId: string, miniGameTypeId: string | null, limit: number): Promise<BoardTop | undefined> => {
    try {
      const board = await boardOfType(appId, { limit, ...(miniGameTypeId && { miniGameTypeId }) })
      const entries = JSON.parse(`[${board.entries}]`) as LeaderboardEntry[]
      return {
        name: board.miniGameTypeName,
        entries: entries.map(({ ranking, playerDisplayName, playerScore }) => ({
          ranking,
          displayName: playerDisplayName,
          score: playerScore,
        })),
      }
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return undefined
      throw error
    }
  }
