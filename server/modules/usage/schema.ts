import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'

const count = z.int().min(0)

const counts = {
  calls: count.describe("Requests with one of the app's keys, whatever the response"),
  refused: count.describe('Responses with 4xx, except 429'),
  limited: count.describe('Responses with 429'),
  failed: count.describe('Responses with 5xx'),
}

export const UsageQuery = z.object({
  days: z
    .enum(['1', '7', '30', '90'])
    .default('1')
    .transform(Number)
    .meta({ type: 'integer', enum: [1, 7, 30, 90], default: 1 })
    .describe('`1`: by hour, the current one and the 23 before; else by day (UTC), today and those before'),
})

export const AppUsage = z
  .object({
    from: timestamp.describe('When the first bucket begins'),
    to: timestamp.describe('Now; the last bucket is still open'),
    step: z.enum(['hour', 'day']).describe('The length of a bucket'),
    buckets: z
      .array(z.object({ at: timestamp.describe('When it begins'), ...counts }))
      .describe('Oldest first, including empty ones'),
    totals: z.object(counts),
    previous: z
      .object(counts)
      .nullable()
      .describe(
        'The totals of the same span of time before, with the hour in which it ended. `null` for 90 days, before which no counts are kept',
      ),
    medianMs: z
      .number()
      .nullable()
      .describe(
        'Median response time in milliseconds, estimated from a histogram; without 429 and streams. `null` without responses',
      ),
    refusals: z
      .array(
        z.object({
          method: z.string(),
          route: z.string().describe('The path as in this document, such as /api/v1/apps/players/{id}'),
          status: z.int(),
          reason: z
            .string()
            .describe(
              'The error message, or the first one of a list, with "…" for values; "other" beyond 200 causes a day',
            ),
          times: z.int().min(1),
          lastAt: timestamp,
        }),
      )
      .describe('The 50 most frequent causes of 4xx'),
    limitPerMinute: z.int().min(1).describe('Requests per minute allowed to an app'),
    busiestMinute: count.describe('Requests in the busiest minute'),
  })
  .meta({ id: 'AppUsage' })
export type AppUsage = z.infer<typeof AppUsage>
