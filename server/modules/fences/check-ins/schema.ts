import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { FixInput } from '../positions/schema.ts'

/** Why a check-in is refused, and what a player can be shown. */
export const REFUSALS = {
  no_check_ins: 'There is nothing to check in to here',
  old_fix: 'The position is too old: measure it again',
  accuracy: 'The position is not accurate enough: go where you can see the sky, and wait a moment',
  outside: 'You are not there yet',
  closed: 'It is closed now',
  speed: 'You have moved too fast: try again in a few minutes',
  already: 'You have already checked in here',
  pending: 'Your check-in here is being reviewed',
} as const
export type Refusal = keyof typeof REFUSALS

export const NewCheckIn = z.object({ fenceId: z.uuid(), fix: FixInput }).meta({ id: 'NewCheckIn' })
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
const heldFor = z.enum(['mocked', 'shared_fix'])

export const CheckIn = z
  .object({
    id: z.uuid(),
    fenceId: z.uuid(),
    playerId: z.uuid(),
    state: z.enum(['accepted', 'held', 'rejected']),
    reason: heldFor
      .nullable()
      .describe(
        'Why it was held. `mocked`: a developer tool has set the position; `shared_fix`: several players sent the same one',
      ),
    awards,
    createdAt: timestamp,
    reviewedAt: timestamp.nullable(),
    note: z.string().nullable().describe('Of the review'),
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
    reason: z
      .enum([...(Object.keys(REFUSALS) as [Refusal, ...Refusal[]]), 'mocked', 'shared_fix'])
      .nullable()
      .describe('Why it is not accepted'),
    message: z.string().nullable().describe('The reason of a refusal in a sentence for the player, in English'),
    nextAt: timestamp.nullable().describe('With `already`: from when the player can check in again; `null`: never'),
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
