import { z } from 'zod'
import { listCursor, listLimit, queryInteger } from '../../../platform/schema.ts'
import { GlobalRanking } from '../../players/schema.ts'
import { TypeQuery } from '../schema.ts'
import { entryShape } from './record.ts'

export const LeaderboardEntry = z
  .object({
    ...entryShape,
    ranking: z.int().min(1).describe('1 + the number of players on this board with a better score (1-2-2-4)'),
  })
  .meta({ id: 'LeaderboardEntry' })
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>

export const MiniGameLeaderboard = z
  .object({
    miniGameTypeId: z.string().nullable().describe('`null` for the default game'),
    miniGameTypeName: z.string().nullable(),
    leaderboard: z
      .array(LeaderboardEntry)
      .describe('Best first. Equal scores are ordered by when they were reached, then by player ID'),
  })
  .meta({ id: 'MiniGameLeaderboard' })
export type MiniGameLeaderboard = z.infer<typeof MiniGameLeaderboard>

export const GlobalLeaderboard = z
  .object({ leaderboards: z.array(MiniGameLeaderboard).describe('The default game first, then types by name') })
  .meta({ id: 'GlobalLeaderboard' })

/** The number of entries of each board. */
export const boardLimit = listLimit(100, 1000).describe('Maximum number of entries per leaderboard')

/** A page of a board. */
export const BoardPageQuery = z.object({ limit: boardLimit, cursor: listCursor })
export type BoardPageQuery = z.infer<typeof BoardPageQuery>

export const BoardQuery = TypeQuery.extend({
  limit: queryInteger
    .pipe(z.number().min(1).max(1000))
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 1000 })
    .describe('Maximum number of entries; default 100, or 11 around a player'),
  cursor: listCursor,
  aroundPlayerId: z
    .string()
    .optional()
    .describe(
      'Shows this player in the middle of the entries; near an end of the leaderboard the window shifts so that it stays full',
    ),
})
export type BoardQuery = z.infer<typeof BoardQuery>

export const PlayerRanking = GlobalRanking.extend({}).meta({ id: 'PlayerRankingResponse' })
export type PlayerRanking = z.infer<typeof PlayerRanking>
