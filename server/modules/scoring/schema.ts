import { z } from 'zod'
import { shapeOf } from '../../platform/records/fields.ts'
import { queryBoolean, timestamp } from '../../platform/schema.ts'
import { ScoreMetadata } from './scores/schema.ts'
import { placeFields, shownPlayerFields } from './sessions/player-record.ts'
import { SessionStatus, sessionFields } from './sessions/record.ts'
import { typeFields } from './types/record.ts'

export const MiniGameType = z.object(shapeOf(typeFields, 'schema')).meta({ id: 'MiniGameType' })
export type MiniGameType = z.infer<typeof MiniGameType>

export const MiniGameTypeList = z.object({ miniGameTypes: z.array(MiniGameType) }).meta({ id: 'MiniGameTypeList' })

export const NewMiniGameType = z
  .object(shapeOf(typeFields, 'create'))
  .refine(({ minScore, maxScore }) => (minScore ?? -Infinity) <= (maxScore ?? Infinity), {
    path: ['maxScore'],
    error: 'maxScore must not be less than minScore',
  })
  .meta({ id: 'NewMiniGameType' })
export type NewMiniGameType = z.infer<typeof NewMiniGameType>

export const MiniGameTypeChange = z.object(shapeOf(typeFields, 'change')).meta({ id: 'MiniGameTypeChange' })
export type MiniGameTypeChange = z.infer<typeof MiniGameTypeChange>

export const GameSession = z
  .object({
    ...shapeOf(sessionFields, 'schema'),
    miniGameType: MiniGameType.nullable().describe('`null` for the default game'),
    playerCount: z.int().min(0).default(0).describe('Number of registered players'),
  })
  .meta({ id: 'GameSession' })
export type GameSession = z.infer<typeof GameSession>

export const GameSessionList = z.object({ gameSessions: z.array(GameSession) }).meta({ id: 'GameSessionList' })

/** Which mini game types a list shows. */
export const TypeFilter = z.object({
  hidden: queryBoolean.default(false).describe('`true`: only hidden types; `false`: only visible ones'),
})
export type TypeFilter = z.infer<typeof TypeFilter>

/** A mini game type by id, by name (ignoring case), or by both if they agree. Neither: the default game. */
export const TypeChoice = z.object({
  miniGameTypeId: z.string().nullish().describe('The ID of the type'),
  miniGameTypeName: z.string().nullish().describe('The name of the type, ignoring case'),
})
export type TypeChoice = z.infer<typeof TypeChoice>

/** The same in a query, where there is no null. */
export const TypeQuery = z.object({
  miniGameTypeId: z.string().optional().describe('The ID of the type'),
  miniGameTypeName: z.string().optional().describe('The name of the type, ignoring case'),
})

export const NewGameSession = TypeChoice.extend(shapeOf(sessionFields, 'create')).meta({ id: 'NewGameSession' })
export type NewGameSession = z.infer<typeof NewGameSession>

export const GameSessionChange = z.object(shapeOf(sessionFields, 'change')).meta({ id: 'GameSessionChange' })
export type GameSessionChange = z.infer<typeof GameSessionChange>

/** Which sessions a list shows. */
export const SessionFilter = TypeQuery.extend({
  status: SessionStatus.optional().describe(
    'ACTIVE includes paused sessions, which have status ACTIVE; PAUSED selects only those',
  ),
  search: z.string().trim().min(1).max(255).optional().describe('Part of the name; case-insensitive'),
})
export type SessionFilter = z.infer<typeof SessionFilter>

export const Registration = z
  .object({ playerId: z.string().describe('A player of the app') })
  .meta({ id: 'Registration' })

/** JSON numbers past the range of a double read as infinite; those are refused. −0 counts as 0. */
const score = z.number()

const metadata = ScoreMetadata.optional()

export const ScoreChange = z
  .object({ score, metadata: metadata.describe('If absent, the metadata of the previous score is cleared') })
  .meta({ id: 'ScoreChange' })

export const ScoreBatch = z
  .object({
    scores: z
      .array(z.object({ playerId: z.uuid(), score, metadata }))
      .min(1)
      .max(1000),
  })
  .meta({ id: 'ScoreBatch' })
export type ScoreBatch = z.infer<typeof ScoreBatch>

export const GameSessionPlayer = z
  .object({
    score: z.number(),
    metadata: metadata.describe('Present only if the score has metadata'),
    ...shapeOf(placeFields, 'schema'),
    playerId: z.uuid(),
    ...shapeOf(shownPlayerFields, 'schema'),
    user: z.object({ id: z.string(), username: z.string().nullable() }).nullable(),
    state: z
      .literal('held')
      .optional()
      .describe('Only in the response to a write: the new score is held for a review, and `score` is unchanged'),
    reviewId: z.uuid().optional().describe('With `state`: the ID of the review'),
  })
  .meta({ id: 'GameSessionPlayer' })
export type GameSessionPlayer = z.infer<typeof GameSessionPlayer>

export const GameSessionPlayerList = z
  .object({ players: z.array(GameSessionPlayer) })
  .meta({ id: 'GameSessionPlayerList' })

/** Which type a list shows. */
export const ScoreFilter = z.object({
  miniGameTypeId: z
    .string()
    .optional()
    .describe('The ID of a type, or `default` for the default game. Without it and a name, those of all types'),
  miniGameTypeName: TypeQuery.shape.miniGameTypeName,
})
export type ScoreFilter = z.infer<typeof ScoreFilter>

export const PlayerScore = z
  .object({
    gameSessionId: z.uuid(),
    gameSessionName: z.string().nullable(),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
    miniGameTypeName: z.string().nullable().describe('`null` for the default game. Shown even if the type is hidden'),
    score: z.number(),
    metadata: metadata.describe('Present only if the score has metadata'),
    createdAt: timestamp.describe('When the player joined the session'),
    updatedAt: timestamp.describe('When the score was last written'),
  })
  .meta({ id: 'PlayerScore' })
export type PlayerScore = z.infer<typeof PlayerScore>

export const PlayerScoreList = z.object({ scores: z.array(PlayerScore) }).meta({ id: 'PlayerScoreList' })
