import { z } from 'zod'
import { MAX_COUNTED, QuotaUse } from '../../../platform/schema.ts'

const count = z.int().min(0)

export const AppOverview = z
  .object({
    players: count,
    newPlayersThisWeek: count
      .max(MAX_COUNTED)
      .describe('Players created in the last seven days; 10000 means 10,000 or more'),
    gameSessions: count,
    runningGameSessions: count.describe('Sessions that are not completed, including paused ones'),
    miniGameTypes: count.describe('Without the default game and hidden types'),
    topScore: z
      .object({
        score: z.number(),
        playerId: z.uuid(),
        displayName: z.string(),
        miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
        miniGameTypeName: z.string().nullable().describe('`null` for the default game'),
      })
      .nullable()
      .describe(
        'The highest written score where higher is better. If there is none, the lowest written score where lower is better. On a tie, the player who reached it first. `null` if no score is written',
      ),
    quotas: z.array(QuotaUse).describe('Limits and use of keys, webhooks and mini game types'),
  })
  .meta({ id: 'AppOverview' })
export type AppOverview = z.infer<typeof AppOverview>
