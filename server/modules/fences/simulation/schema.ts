import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { REASONS } from '../check-ins/schema.ts'
import { FenceEvent, FixInput } from '../positions/schema.ts'

/** Events and judgements of one simulation; what follows is left out. */
export const MOST_STEPS = 2000

export const NewSimulation = z
  .object({
    fixes: z
      .array(FixInput.extend({ at: FixInput.shape.at.describe('Any time: past, present or future') }))
      .min(1)
      .max(1000)
      .describe('The walk, in any order'),
  })
  .meta({ id: 'NewFenceSimulation' })

export const Simulation = z
  .object({
    events: z.array(FenceEvent).describe('What the walk would report, in order'),
    checkIns: z
      .array(
        z.object({
          fenceId: z.uuid(),
          name: z.string(),
          at: timestamp.describe('The time of the fix'),
          state: z.enum(['accepted', 'refused', 'held']),
          reason: z.enum(REASONS).nullable().describe('Why it would not be accepted'),
          message: z.string().nullable().describe('The reason of a refusal in a sentence for the player, in English'),
          points: z.number().nullable().describe('What would be awarded'),
        }),
      )
      .describe(
        'How a check-in would be judged at each fence that has a rule and that the walk is inside of: with its first fix inside, and again whenever that changes, until it is accepted. `once` is not applied, and a walk has no proof',
      ),
    isCut: z
      .boolean()
      .describe(
        `Whether the result was cut: it has at most ${MOST_STEPS.toLocaleString('en')} events and check-ins together`,
      ),
  })
  .meta({ id: 'FenceSimulation' })
export type Simulation = z.infer<typeof Simulation>
