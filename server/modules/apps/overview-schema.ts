import { z } from 'zod'
import { MOST_COUNTED, moment, QuotaUse } from '../../platform/schema.ts'

const count = z.int().min(0)

export const AppOverview = z
  .object({
    players: count,
    newPlayersThisWeek: count.max(MOST_COUNTED).describe('Created in the last seven days; 10000: so many or more'),
    gameSessions: count,
    runningGameSessions: count.describe('Those not completed, paused ones too'),
    miniGameTypes: count.describe('Without the default game'),
    topScore: z
      .object({
        score: z.number(),
        playerId: z.uuid(),
        displayName: z.string(),
        miniGameTypeId: z.uuid().nullable().describe('null: the default game'),
        miniGameTypeName: z.string().nullable().describe('null: the default game'),
      })
      .nullable()
      .describe(
        'The highest written score where higher is better; the lowest in an app that has none of those. Who had it first. null: no score is written',
      ),
    quotas: z.array(QuotaUse).describe('What the app may have, and has of it: keys, webhooks, mini game types'),
  })
  .meta({ id: 'AppOverview' })
export type AppOverview = z.infer<typeof AppOverview>

export const ApiKeyList = z
  .object({
    apiKeys: z.array(
      z.object({
        id: z.string().describe('Its public part, which its prefix has in the middle'),
        prefix: z.string().describe('The key masked: `cairn_<id>_…`'),
        createdAt: moment,
        endsAt: moment.nullable().describe('When its grace is over; null: it does not end'),
        lastUsedAt: moment.nullable().describe('To some ten seconds; null: never, or not since it is noted'),
        isCurrent: z.boolean().describe('The one that does not end'),
        callsLastHour: count.describe('Requests with it in the last 60 minutes'),
      }),
    ),
  })
  .meta({ id: 'ApiKeyList' })
export type ApiKeyList = z.infer<typeof ApiKeyList>
