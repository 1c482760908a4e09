import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'

/** What a score of a mini game type must satisfy. What does not is held for a review. */
export const MiniGameTypeRules = z
  .object({
    maxPerMinute: z
      .int()
      .min(1)
      .max(600)
      .optional()
      .describe(
        'Scores that a player may write in 60 seconds, in all sessions of the type, by the clock of the database. Held scores count, too',
      ),
    maxIncrease: z
      .number()
      .min(0)
      .optional()
      .describe(
        'How much better than the highest score of the player a score may be, in the direction of `sortOrder`. The first score of a player is not compared',
      ),
    minSessionSeconds: z
      .int()
      .min(1)
      .max(604_800)
      .optional()
      .describe(
        'Seconds from the registration of the player in the session until a score. Sessions created as COMPLETED are exempt',
      ),
    requireMetadata: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(16)
      .optional()
      .describe('Members that `metadata` must have'),
  })
  .describe('A score that breaks a rule is held for a review. Scores outside the bounds are refused')
  .meta({ id: 'MiniGameTypeRules' })
export type MiniGameTypeRules = z.infer<typeof MiniGameTypeRules>

/** No rules are the same as empty ones. */
export const ruled = (rules: MiniGameTypeRules | null | undefined): MiniGameTypeRules | null =>
  rules && Object.values(rules).some((rule) => rule !== undefined) ? rules : null

/** Whether a held score was reviewed, and what was decided. */
const ReviewState = z.enum(['held', 'accepted', 'rejected'])

export const Review = z
  .object({
    id: z.uuid(),
    gameSessionId: z.uuid(),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
    playerId: z.uuid(),
    displayName: z.string(),
    score: z.number().describe('The score that was held'),
    currentScore: z.number().nullable().describe('The score in the session; `null` if none was written'),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    reasons: z
      .array(z.enum(['maxPerMinute', 'maxIncrease', 'minSessionSeconds', 'requireMetadata', 'hook']))
      .describe('The rules that the score broke; `hook`: a score hook held it, or gave no usable response'),
    state: ReviewState,
    note: z.string().nullable(),
    createdAt: timestamp.describe('When the score was sent'),
    reviewedAt: timestamp.nullable(),
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

export const ReviewList = z.object({ reviews: z.array(Review) }).meta({ id: 'ReviewList' })

/** Which reviews a list shows. */
export const ReviewFilter = z.object({
  state: ReviewState.optional().describe('Without it, all'),
  miniGameTypeId: z.string().optional().describe('The ID of a type. Without it, those of all types'),
  playerId: z.uuid().optional().describe('Only those of this player'),
})
export type ReviewFilter = z.infer<typeof ReviewFilter>

export const ReviewDecision = z
  .object({
    decision: z.enum(['accept', 'reject']),
    note: z.string().max(1000).nullish().describe('Replaces the note of an earlier decision'),
  })
  .meta({ id: 'ReviewDecision' })
export type ReviewDecision = z.infer<typeof ReviewDecision>
