import { z } from 'zod'
import { listCursor, listLimit, queryInteger, timestamp, timestampInput } from '../../../platform/schema.ts'
import { GlobalRanking } from '../../players/schema.ts'
import { WINDOWS } from '../periods/schema.ts'
import { TypeQuery } from '../schema.ts'
import { SegmentChoice } from '../segments/schema.ts'
import { entryShape } from './record.ts'

export const LeaderboardEntry = z
  .object({
    ...entryShape,
    ranking: z.int().min(1).describe('1 + the number of players on this board with a better score (1-2-2-4)'),
  })
  .meta({ id: 'LeaderboardEntry' })
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>

/** The period whose scores a board counts. */
export const BoardPeriod = z
  .object({
    window: z.enum(WINDOWS).nullable().describe('`null` for a season'),
    seasonId: z.uuid().nullable().describe('`null` for a window'),
    startsAt: timestamp,
    endsAt: timestamp.nullable().describe('The first moment after the period; `null` for a season without an end'),
  })
  .meta({ id: 'LeaderboardPeriod' })
export type BoardPeriod = z.infer<typeof BoardPeriod>

export const MiniGameLeaderboard = z
  .object({
    miniGameTypeId: z.string().nullable().describe('`null` for the default game'),
    miniGameTypeName: z.string().nullable(),
    leaderboard: z
      .array(LeaderboardEntry)
      .describe('Best first. Equal scores are ordered by when they were reached, then by player ID'),
    period: BoardPeriod.optional().describe('Present only if the request names a window or a season'),
    segment: z.string().optional().describe('Present only for the leaderboard of a segment'),
    at: timestamp.optional().describe('Present only for the leaderboard as it stood at a past time'),
  })
  .meta({ id: 'MiniGameLeaderboard' })
export type MiniGameLeaderboard = z.infer<typeof MiniGameLeaderboard>

export const GlobalLeaderboard = z
  .object({ leaderboards: z.array(MiniGameLeaderboard).describe('The default game first, then types by name') })
  .meta({ id: 'GlobalLeaderboard' })

/** Entries around a player by default. */
export const limitAround = 11

/** The number of entries of each board. */
export const boardLimit = listLimit(100, 1000).describe('Maximum number of entries per leaderboard')

/** A page of a board. */
export const BoardPageQuery = z.object({ limit: boardLimit, cursor: listCursor })
export type BoardPageQuery = z.infer<typeof BoardPageQuery>

/** Which board: of a type, over all time or in a period. */
export const BoardChoice = TypeQuery.extend({
  window: z
    .enum(['all', ...WINDOWS])
    .optional()
    .describe(
      'Counts the scores written in the current day, week (from Monday) or month of the type’s `timeZone`. Default `all`',
    ),
  season: z.string().optional().describe('The ID of a season: counts the scores written in it'),
  at: timestampInput
    .optional()
    .describe(
      'Shows the leaderboard as it stood at this time. Not with `window` or `segment`; with `season` only from its end',
    ),
  segment: SegmentChoice.optional().describe(
    'Ranks only the players with this attribute, as `name:value`, for example `country:DE`. The type must have the name in its `segments`',
  ),
})
export type BoardChoice = z.infer<typeof BoardChoice>

const MAX_PLAYERS = 200

export const BoardQuery = BoardChoice.extend({
  limit: queryInteger
    .pipe(z.number().min(1).max(1000))
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 1000 })
    .describe(`Maximum number of entries; default 100, or ${limitAround} around a player`),
  cursor: listCursor,
  aroundPlayerId: z
    .string()
    .optional()
    .describe(
      'Shows this player in the middle of the entries; near an end of the leaderboard the window shifts so that it stays full',
    ),
  playerIds: z
    .string()
    .transform((text) => text.split(',', MAX_PLAYERS + 1))
    .pipe(z.array(z.uuid()).max(MAX_PLAYERS, `must be at most ${MAX_PLAYERS} players`))
    .optional()
    .meta({ type: 'string' })
    .describe(
      `Player IDs separated by commas, at most ${MAX_PLAYERS}: ranks these players among each other. Players without a score are left out`,
    ),
})
export type BoardQuery = z.infer<typeof BoardQuery>

export const PlayerRanking = GlobalRanking.extend({}).meta({ id: 'PlayerRankingResponse' })
export type PlayerRanking = z.infer<typeof PlayerRanking>
