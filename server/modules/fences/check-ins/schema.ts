import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { FixInput } from '../positions/schema.ts'

/** Why a check-in is refused, and what a player can be shown. */
export const REFUSALS = {
  no_check_ins: 'There is nothing to check in to here',
  old_fix: 'The position is too old: measure it again',
  proof_required: 'Take a photo of the tag here',
  proof_expired: 'The photo is too old: take another one',
  proof_foreign: 'The photo shows tags that do not belong to this game',
  proof_used: 'This photo was used before: take another one',
  accuracy: 'The position is not accurate enough: go where you can see the sky, and wait a moment',
  outside: 'You are not there yet',
  closed: 'It is closed now',
  speed: 'You have moved too fast: try again in a few minutes',
  already: 'You have already checked in here',
  pending: 'Your check-in here is being reviewed',
} as const
export type Refusal = keyof typeof REFUSALS
/** What a player can be shown whose held check-in was rejected. */
export const REJECTED = 'Your check-in here was rejected'

export const NewCheckIn = z
  .object({
    fenceId: z.uuid(),
    fix: FixInput,
    proof: z
      .string()
      .min(1)
      .max(8192)
      .optional()
      .describe(
        'The `proof` of `POST /api/location/localize`, at most five minutes old: the check-in is judged by the place of the camera, and the fix must agree with it. The tags must belong to owners, admins or developers of the app. A photo counts once: for another player, or again at this fence, it is refused',
      ),
  })
  .meta({ id: 'NewCheckIn' })
export type NewCheckIn = z.infer<typeof NewCheckIn>

const awards = z
  .array(
    z.object({
      miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
      gameSessionId: z.uuid(),
      points: z.number(),
      score: z.number().describe('The score of the player with these points'),
    }),
  )
  .describe('What the check-in has added to scores')
const HELD_FOR = ['mocked', 'fix_differs', 'shared_fix'] as const
export type HeldFor = (typeof HELD_FOR)[number]
/** Why a check-in is not accepted. */
export const REASONS = [...(Object.keys(REFUSALS) as [Refusal, ...Refusal[]]), ...HELD_FOR] as const

const proof = z
  .object({
    gcpIds: z.array(z.int()).describe('The points whose tags the photo shows'),
    accuracy: z.number().describe('Accuracy of the position of the camera, in metres'),
  })
  .meta({ id: 'CheckInProof' })

export const CheckIn = z
  .object({
    id: z.uuid(),
    fenceId: z.uuid(),
    playerId: z.uuid(),
    state: z.enum(['accepted', 'held', 'rejected']),
    reason: z
      .enum(HELD_FOR)
      .nullable()
      .describe(
        'Why it was held. `mocked`: a developer tool has set the position; `fix_differs`: the position is far from where the photo was taken; `shared_fix`: several players sent the same one',
      ),
    proof: proof.nullable().describe('The photo that showed where the player was'),
    awards,
    createdAt: timestamp,
    reviewedAt: timestamp.nullable(),
    note: z.string().nullable().describe('The note of the reviewer'),
  })
  .meta({ id: 'CheckIn' })
export type CheckIn = z.infer<typeof CheckIn>

export const CheckInList = z.object({ checkIns: z.array(CheckIn) }).meta({ id: 'CheckInList' })

export const CheckInAnswer = z
  .object({
    state: z
      .enum(['accepted', 'refused', 'held'])
      .describe('`held`: it is doubtful, and counts once it is accepted in a review'),
    id: z.uuid().nullable().describe('`null` if it is refused: refused check-ins are not stored'),
    reason: z.enum(REASONS).nullable().describe('Why it is not accepted'),
    message: z.string().nullable().describe('The reason of a refusal in a sentence for the player, in English'),
    nextAt: timestamp
      .nullable()
      .describe('With `already`: the time from which the player can check in again; `null`: never'),
    awards,
  })
  .meta({ id: 'CheckInAnswer' })
export type CheckInAnswer = z.infer<typeof CheckInAnswer>

export const CheckInFilter = z.object({
  state: z.enum(['accepted', 'held', 'rejected']).optional().describe('Only those in this state'),
  fenceId: z.uuid().optional().describe('Only those at this fence'),
  playerId: z.uuid().optional().describe('Only those of this player'),
})
export type CheckInFilter = z.infer<typeof CheckInFilter>

export const CheckInReview = z
  .object({
    decision: z.enum(['accept', 'reject']),
    note: z.string().trim().min(1).max(2000).nullish(),
  })
  .meta({ id: 'CheckInReview' })
export type CheckInReview = z.infer<typeof CheckInReview>
