import { z } from 'zod'
import { timestamp, timestampInput } from '../../../platform/schema.ts'

export const FixInput = z
  .object({
    lat: z.number().min(-90).max(90).describe('Degrees, WGS84'),
    lon: z.number().min(-180).max(180),
    accuracy: z
      .number()
      .min(0)
      .max(100_000)
      .describe('Radius in metres, as devices report it: the device is inside with a probability of about two thirds'),
    altitude: z.number().min(-20_000).max(100_000).nullish().describe('Metres'),
    at: timestampInput.describe(
      'When the position was measured. More than 60 seconds in the future is refused with 400 and `clock_ahead`',
    ),
    mocked: z.boolean().optional().describe('The device says that a developer tool has set the position'),
  })
  .meta({ id: 'PositionFix' })
export type FixInput = z.infer<typeof FixInput>

export const NewPositions = z
  .object({ fixes: z.array(FixInput).min(1).max(60).describe('In any order') })
  .meta({ id: 'NewPositions' })

export const Doubt = z.enum(['mocked', 'speed', 'shared_fix'])
export type Doubt = z.infer<typeof Doubt>

export const FenceEvent = z
  .object({
    type: z.enum(['enter', 'exit', 'dwell']),
    fenceId: z.uuid(),
    name: z.string(),
    zoneId: z.int().nullable(),
    pinId: z.int().nullable(),
    at: timestamp.describe('When it happened, by the times of the fixes'),
    doubts: z
      .array(Doubt)
      .describe(
        'Why the position that shows it, or the one with which the stay began, may be wrong; empty if there is no doubt. `mocked`: a developer tool has set it, and the check-in rule of the fence does not `allowMocked`; `speed`: the player cannot have come from the last plausible position at the `maxSpeed` of that rule (60 m/s without one); `shared_fix`: three other players have entered fences with exactly this position within an hour',
      ),
  })
  .meta({ id: 'FenceEvent' })
export type FenceEventRecord = z.infer<typeof FenceEvent>

export const PositionsAnswer = z
  .object({
    events: z.array(FenceEvent).describe('What the fixes have shown, in the order of their times'),
    ignored: z
      .array(z.object({ index: z.int().min(0), reason: z.enum(['duplicate', 'too_old', 'too_many_events']) }))
      .describe(
        'The fixes that changed nothing, by their place in the request. `duplicate`: it has the time of the newest fix; `too_old`: it is more than 5 minutes old, by the clock of the service or beside the newest; `too_many_events`: the fixes before it have shown some 500 events, so send it again',
      ),
  })
  .meta({ id: 'PositionsAnswer' })
export type PositionsAnswer = z.infer<typeof PositionsAnswer>
