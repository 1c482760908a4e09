import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'

/** Whether something held was reviewed, and what was decided. */
const ReviewState = z.enum(['held', 'accepted', 'rejected'])
const ReviewKind = z.enum(['score', 'check_in'])

export const Review = z
  .object({
    id: z.uuid().describe('The ID of the review; of a check-in, that of the check-in'),
    kind: ReviewKind,
    gameSessionId: z.uuid().nullable().describe('Of a check-in: where it was awarded points; `null` if it was not'),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game, and for a check-in without an award'),
    playerId: z.uuid(),
    displayName: z.string(),
    score: z.number().nullable().describe('The score that was held; `null` for a check-in'),
    currentScore: z
      .number()
      .nullable()
      .describe('The score in the session; `null` if none was written, and for a check-in'),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    fenceId: z.uuid().nullable().describe('Where the player checked in; `null` for a score'),
    fenceName: z.string().nullable(),
    points: z
      .number()
      .nullable()
      .describe('What accepting the check-in awards, or has awarded; `null` without an award, and for a score'),
    reasons: z
      .array(
        z.enum([
          ...['maxPerMinute', 'maxIncrease', 'minSessionSeconds', 'requireMetadata', 'hook'],
          ...['mocked', 'fix_differs', 'shared_fix'],
        ] as const),
      )
      .describe(
        'Of a score, the rules that it broke; `hook`: a score hook held it, or gave no usable response. Of a check-in, why it is doubtful: `mocked`, `fix_differs` or `shared_fix`',
      ),
    state: ReviewState,
    note: z.string().nullable(),
    createdAt: timestamp.describe('When the score or check-in was sent'),
    reviewedAt: timestamp.nullable(),
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

export const ReviewList = z.object({ reviews: z.array(Review) }).meta({ id: 'ReviewList' })

/** Which reviews a list shows. */
export const ReviewFilter = z.object({
  state: ReviewState.optional().describe('Without it, all'),
  kind: ReviewKind.optional().describe('Only held scores, or only held check-ins'),
  miniGameTypeId: z
    .string()
    .optional()
    .describe(
      'The ID of a type: its scores, and check-ins that are awarded points of it. Without it, those of all types',
    ),
  miniGameTypeName: z.string().optional().describe('The name of the type, ignoring case'),
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
