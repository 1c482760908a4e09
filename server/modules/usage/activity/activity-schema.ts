import { z } from 'zod'
import { MAX_COUNTED, timestamp } from '../../../platform/schema.ts'

const count = z.int().min(0)
const upTo = count.max(MAX_COUNTED)
const day = z.iso.date()

export const AppActivity = z
  .object({
    at: timestamp.describe('When it was read. Days and hours are those of UTC'),
    players: z
      .object({
        today: count.describe('Players with a score written today'),
        lastWeek: count
          .nullable()
          .describe('On the same day of last week; `null` if the app has no record of that day'),
        lastWeekByNow: count
          .nullable()
          .describe('The same up to the end of this hour of the day, to compare with `today`'),
        days: z.array(z.object({ day, players: count })).describe('Today and the 13 days before, oldest first'),
      })
      .describe('Exact up to 1,000 players a day, beyond it with a standard error of 0.8 %'),
    sessions: z.object({ running: count, paused: upTo.describe('10000 means 10,000 or more') }),
    boards: z
      .array(
        z.object({
          miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
          miniGameTypeName: z.string().nullable(),
          writes: count.describe('Scores written in the current hour and the 23 before'),
          hours: z.array(count).describe('24 counts, the current hour last'),
        }),
      )
      .max(5)
      .describe('The leaderboards with the most scores written, busiest first'),
    held: z
      .object({
        scores: upTo,
        checkIns: upTo,
        since: timestamp.nullable().describe('When the oldest one began to wait'),
      })
      .describe('Number of pending reviews; 10000 means 10,000 or more'),
    webhooks: z.object({
      failing: count.describe('Enabled, without a successful delivery since one failed'),
      disabled: count.describe('Disabled by the service'),
    }),
    fences: z.object({
      checkIns: upTo.describe('Accepted check-ins of the last 24 hours; 10000 means 10,000 or more'),
      visited: z
        .array(z.object({ id: z.uuid(), name: z.string(), checkIns: count, players: count }))
        .max(5)
        .describe('The fences with the most of them'),
    }),
  })
  .meta({ id: 'AppActivity' })
export type AppActivity = z.infer<typeof AppActivity>
