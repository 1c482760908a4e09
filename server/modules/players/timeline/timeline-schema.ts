import { z } from 'zod'
import { listCursor, listLimit, timestamp } from '../../../platform/schema.ts'

export const TimelineQuery = z.object({ limit: listLimit(100, 1000), cursor: listCursor })
export type TimelineQuery = z.infer<typeof TimelineQuery>

const Value = z.union([z.string(), z.number(), z.boolean()]).nullable()

const TimelineEntry = z
  .object({
    at: timestamp,
    kind: z
      .enum(['created', 'joined', 'score', 'held', 'reviewed', 'checkIn', 'change'])
      .describe(
        '`created`: the player; `joined`: a game session; `score`: one was written; `held`: a score for a review; `reviewed`: that review was decided; `checkIn`: at a fence; `change`: a person changed something, as in the audit log',
      ),
    gameSessionId: z.uuid().nullable().describe('The session may be deleted'),
    gameSessionName: z.string().nullable(),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game, and where there is no game'),
    miniGameTypeName: z.string().nullable(),
    score: z.number().nullable().describe('Of `score`, `held` and `reviewed`; of `checkIn`, the score after the award'),
    replacedAt: timestamp
      .nullable()
      .describe('Of `score`: when another one replaced it, or it was removed; `null`: it is the score of the session'),
    reasons: z.array(z.string()).describe('Why it was held: names of rules, or the reason of a check-in'),
    state: z.string().nullable().describe('Of a review or check-in: `held`, `accepted` or `rejected`'),
    note: z.string().nullable().describe('What the reviewer wrote'),
    fenceId: z.uuid().nullable(),
    fenceName: z.string().nullable(),
    points: z.number().nullable().describe('What a check-in was awarded'),
    action: z
      .string()
      .nullable()
      .describe('Of `change`: the action of the audit entry')
      .meta({ example: 'score.corrected' }),
    actor: z.string().nullable().describe("Of `change`: a user's ID, `app:<id>` for a key, or `operator`"),
    actorName: z.string().nullable().describe('The username of the actor'),
    changes: z
      .record(z.string(), z.object({ from: Value, to: Value }))
      .nullable()
      .describe('What changed, by name, with the value before and after'),
  })
  .meta({ id: 'TimelineEntry' })
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const Timeline = z.object({ timeline: z.array(TimelineEntry) }).meta({ id: 'Timeline' })
