import { z } from 'zod'
import { timestamp, timestampInput } from '../../../platform/schema.ts'
import { timeZone, WINDOWS } from '../periods/schema.ts'

const name = z.string().trim().min(1).max(255)

const Repeat = z
  .object({
    every: z.enum(WINDOWS),
    timeZone: timeZone.describe('The next season begins at the same local time here'),
  })
  .meta({ id: 'SeasonRepeat' })

export const Season = z
  .object({
    id: z.uuid(),
    name: z.string(),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
    startsAt: timestamp,
    endsAt: timestamp.nullable().describe('The first moment after the season; `null` while it has no end'),
    repeat: Repeat.nullable().describe('When the next season begins; `null`: there is none'),
    number: z.int().min(1).describe('1 for the first season of a series'),
    state: z.enum(['upcoming', 'running', 'ended']),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Season' })
export type Season = z.infer<typeof Season>

export const SeasonList = z.object({ seasons: z.array(Season) }).meta({ id: 'SeasonList' })

export const SeasonRecount = z
  .object({ changed: z.int().min(0).describe('Number of players whose entry changed') })
  .meta({ id: 'SeasonRecount' })

const YEARS = 100
const moment = timestampInput.refine(
  (text) => Math.abs(Date.parse(text) - Date.now()) < YEARS * 365.25 * 86_400_000,
  `must be within ${YEARS} years from now`,
)

export const NewSeason = z
  .object({
    name,
    miniGameTypeId: z.string().nullish().describe('The ID of the type. Without it and a name: the default game'),
    miniGameTypeName: z.string().nullish().describe('The name of the type, ignoring case'),
    startsAt: moment.describe('May be in the past: the season then counts the scores written since'),
    endsAt: moment.nullish().describe('Default: no end or, with `repeat`, the start of the next season'),
    repeat: Repeat.nullish(),
  })
  .meta({ id: 'NewSeason' })
export type NewSeason = z.infer<typeof NewSeason>

export const SeasonChange = z
  .object({
    name: name.optional(),
    endsAt: moment.nullish().describe('`null`: no end. Not allowed while the season repeats'),
    repeat: z.null().optional().describe('`null` ends the series: its upcoming season is deleted, and no other begins'),
  })
  .describe('Omitted members are unchanged')
  .meta({ id: 'SeasonChange' })
export type SeasonChange = z.infer<typeof SeasonChange>
