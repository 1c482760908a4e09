import { z } from 'zod'
import { moment } from '../../platform/schema.ts'

const count = z.int().min(0)

const counts = {
  calls: count.describe("Requests with one of the app's keys, however they were answered"),
  refused: count.describe('Answered 4xx, but for 429'),
  limited: count.describe('Answered 429'),
  failed: count.describe('Answered 5xx'),
}

export const UsageQuery = z.object({
  days: z
    .enum(['1', '7', '30', '90'])
    .default('1')
    .transform(Number)
    .meta({ type: 'integer', enum: [1, 7, 30, 90], default: 1 })
    .describe('1: by the hour, this one and the 23 before; else by the day (UTC), today and those before'),
})

export const AppUsage = z
  .object({
    from: moment.describe('When the first bucket begins'),
    to: moment.describe('Now: the last bucket goes on'),
    step: z.enum(['hour', 'day']),
    buckets: z
      .array(z.object({ at: moment.describe('When it begins'), ...counts }))
      .describe('Oldest first, none left out'),
    totals: z.object(counts),
    medianMs: z
      .number()
      .nullable()
      .describe(
        'How long half of the answers took at most, from classes of time; without 429 and streams. null: no answer',
      ),
    refusals: z
      .array(
        z.object({
          method: z.string(),
          route: z.string().describe('As in this description, such as /api/v1/apps/players/{id}'),
          status: z.int(),
          reason: z
            .string()
            .describe('What was answered, or its first fault, with "…" for values; "other" beyond 200 causes a day'),
          times: z.int().min(1),
          lastAt: moment,
        }),
      )
      .describe('The 50 most frequent causes of 4xx'),
    limitPerMinute: z.int().min(1).describe('So many requests a minute an app may make'),
    busiestMinute: count.describe('Requests in the minute that had most'),
  })
  .meta({ id: 'AppUsage' })
export type AppUsage = z.infer<typeof AppUsage>
