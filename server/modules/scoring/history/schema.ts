import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { ScoreMetadata } from '../scores/schema.ts'

export const PastScore = z
  .object({
    gameSessionId: z.uuid().describe('The session may be deleted'),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
    miniGameTypeName: z.string().nullable().describe('`null` for the default game. Shown even if the type is hidden'),
    score: z.number(),
    metadata: ScoreMetadata.optional().describe('Present only if the score has metadata'),
    writtenAt: timestamp,
    replacedAt: timestamp
      .nullable()
      .describe('When another score replaced it, or it was removed; `null`: it is the score of the session'),
  })
  .meta({ id: 'PastScore' })
export type PastScore = z.infer<typeof PastScore>

export const PastScoreList = z.object({ scoreHistory: z.array(PastScore) }).meta({ id: 'PastScoreList' })
