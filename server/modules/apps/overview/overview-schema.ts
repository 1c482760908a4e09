import { z } from 'zod'
import { MAX_COUNTED, QuotaUse, timestamp } from '../../../platform/schema.ts'

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

export const ApiKeyList = z
  .object({
    apiKeys: z.array(
      z.object({
        id: z.string().describe('The public part of the key: the `<id>` in `prefix`'),
        prefix: z.string().describe('The masked key: `cairn_<id>_…`'),
        createdAt: timestamp,
        endsAt: timestamp.nullable().describe('When the grace period of the key ends; `null` if the key does not end'),
        lastUsedAt: timestamp
          .nullable()
          .describe('Accurate to about ten seconds; `null` if never used, or not since recording began'),
        isCurrent: z.boolean().describe('Whether this is the current key, which does not end'),
        callsLastHour: count.describe('Requests made with the key in the last 60 minutes'),
      }),
    ),
  })
  .meta({ id: 'ApiKeyList' })
export type ApiKeyList = z.infer<typeof ApiKeyList>
