import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { timeZone } from '../../scoring/periods/schema.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const name = z.string().trim().min(1).max(255)
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:30')
const end = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day such as 18:30; 24:00 is the end of the day')
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

const OpeningHours = z
  .object({
    days: z.array(z.enum(DAYS)).min(1).max(7).optional().describe('Default: every day'),
    from: clock,
    to: end.describe('Exclusive. If it is not later than `from`, it is on the next day'),
  })
  .meta({ id: 'FenceOpeningHours' })
export type OpeningHours = z.infer<typeof OpeningHours>

const Award = z
  .object({
    miniGameTypeId: z
      .uuid()
      .nullish()
      .describe('Absent or `null`: the default game. A type with sort order `asc` has no awards'),
    points: z.number().min(-1e9).max(1e9).describe('Negative points are taken off the score'),
  })
  .meta({ id: 'FenceAward' })

/** How check-ins at a fence are judged. */
export const CheckInRule = z
  .object({
    maxAccuracy: z
      .number()
      .min(1)
      .max(1000)
      .default(50)
      .describe('A fix that is less accurate, in metres, is refused: `accuracy`'),
    maxSpeed: z
      .number()
      .min(1)
      .max(1000)
      .default(60)
      .describe(
        'A fix that is farther from the player’s last plausible one than this speed allows, in metres a second, is refused: `speed`',
      ),
    once: z
      .union([z.enum(['ever', 'day']), z.int().min(10).max(31_536_000)], {
        error: 'must be "ever", "day" or a number of seconds from 10 to 31536000',
      })
      .default('ever')
      .describe(
        'How often a player can check in: once, once a day, or again after this many seconds. Otherwise refused: `already`',
      ),
    timeZone: timeZone.default('UTC').describe('The time zone of days and opening hours'),
    within: z
      .array(OpeningHours)
      .min(1)
      .max(20)
      .nullish()
      .describe('Opening hours. Outside of them, refused: `closed`'),
    allowMocked: z
      .boolean()
      .default(false)
      .describe('Whether positions that a developer tool has set are accepted; otherwise they are held: `mocked`'),
    requireProof: z
      .boolean()
      .default(false)
      .describe(
        'Whether a check-in needs the `proof` of a localization by AprilTags; without one it is refused: `proof_required`',
      ),
    award: Award.nullish().describe(
      'Points that each accepted check-in adds to the player’s score, in the same transaction. All awards of a mini game type are scored in one game session, which the service creates',
    ),
  })
  .meta({ id: 'FenceCheckInRule' })
export type CheckInRule = z.infer<typeof CheckInRule>

const shape = {
  name: name.describe('Events show it'),
  maxAccuracy: z.number().min(1).max(1000).describe('Fixes that are less accurate, in metres, do not count'),
  dwellSeconds: z.int().min(1).max(86_400).nullable().describe('After how long a stay is a dwell; `null`: never'),
  listed: z
    .boolean()
    .describe('Whether client keys and player tokens can read the fence. Leave it `false` for hidden places'),
  checkIn: CheckInRule.nullable().describe('`null`: no check-ins are accepted'),
}
const radius = z.number().min(1).max(100_000).describe('Metres around the pin')

export const Fence = z
  .object({
    id: z.uuid(),
    zoneId: id.nullable(),
    pinId: id.nullable(),
    radius: radius.nullable(),
    ...shape,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Fence' })
export type FenceRecord = z.infer<typeof Fence>

export const FenceList = z.object({ fences: z.array(Fence) }).meta({ id: 'FenceList' })

const members = {
  maxAccuracy: shape.maxAccuracy.default(100),
  dwellSeconds: shape.dwellSeconds.default(null),
  listed: shape.listed.default(false),
  checkIn: shape.checkIn.default(null),
}

export const NewFence = z
  .object({
    name: shape.name,
    zoneId: id.nullish().describe('The zone that is the fence'),
    pinId: id.nullish().describe('The pin in whose `radius` the fence is'),
    radius: radius.nullish(),
    ...members,
  })
  .refine(({ zoneId, pinId }) => (zoneId == null) !== (pinId == null), {
    error: 'give either zoneId, or pinId with radius',
    path: ['zoneId'],
  })
  .refine(({ pinId, radius: metres }) => (pinId == null) === (metres == null), {
    error: 'a fence around a pin has a radius, and one of a zone has none',
    path: ['radius'],
  })
  .meta({ id: 'NewFence' })
export type NewFence = z.infer<typeof NewFence>

export const FenceChange = z
  .object({
    name: shape.name.optional(),
    radius: radius.optional().describe('Metres around the pin, of a fence around a pin'),
    maxAccuracy: shape.maxAccuracy.optional(),
    dwellSeconds: shape.dwellSeconds.optional(),
    listed: shape.listed.optional(),
    checkIn: shape.checkIn.optional().describe('Replaces the whole rule; `null`: no check-ins are accepted'),
  })
  .describe('Omitted members are unchanged')
  .meta({ id: 'FenceChange' })
export type FenceChange = z.infer<typeof FenceChange>

const checkInDays = z
  .int()
  .min(1)
  .max(3650)
  .nullable()
  .describe(
    'How long check-ins are kept, held ones too; `null`: until they are deleted with their fence or player. The newest of a player at a fence stays for as long as `once` forbids another. Scores stay',
  )

export const PositionSettings = z
  .object({
    retainSeconds: z
      .int()
      .min(60)
      .max(86_400)
      .describe(
        'How long the last position of a player is kept, with the fences the player is in. After that the player is unknown: no exit is reported, and the next fix inside a fence reports that it is entered',
      ),
    retainCheckInDays: checkInDays,
  })
  .meta({ id: 'PositionSettings' })
export type PositionSettings = z.infer<typeof PositionSettings>

export const NewPositionSettings = PositionSettings.extend({
  retainCheckInDays: checkInDays.optional().describe('Omitted: unchanged'),
}).meta({ id: 'NewPositionSettings' })
export type NewPositionSettings = z.infer<typeof NewPositionSettings>
