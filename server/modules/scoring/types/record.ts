import { z } from 'zod'
import { type Fields, readOnly } from '../../../platform/records/fields.ts'
import { fileAddress, timestamp } from '../../../platform/schema.ts'
import { AttributeName } from '../../players/schema.ts'
import { MiniGameTypeRules } from '../judging/schema.ts'
import { timeZone as zone } from '../periods/schema.ts'

const name = z.string().max(255).trim().min(1)
const description = z.string().max(2000)
const sortOrder = z.enum(['desc', 'asc'])

const scoreMode = z
  .enum(['best', 'latest', 'sum'])
  .describe(
    'Which of the scores that a player has in game sessions of the type counts: `best`, the best one; `latest`, the one that was written last; `sum`, their total. Fixed once a score is written',
  )

const ties = z
  .enum(['first', 'last', 'none'])
  .describe(
    'How players with equal scores, who share a rank, are ordered: `first`, who reached the score first is above; `last`, who reached it last; `none`, by player ID. Fixed once a score is written',
  )

const submittedBy = z
  .enum(['server', 'player'])
  .describe('`server`: only server keys write scores; `player`: a player token may write its own, too')

const historyDays = z
  .int()
  .min(0)
  .max(3650)
  .describe('How many days replaced scores are kept, for `at` and the score history. 0: not at all')

const timeZone = zone.describe('Days, weeks and months of its leaderboards begin in this time zone')

const CLEARED = '`null` clears it'

const MOST_SEGMENTS = 4
const segments = z
  .array(AttributeName)
  .max(MOST_SEGMENTS)
  .refine((names) => new Set(names).size === names.length, { error: 'must not have a name twice' })
  .describe(
    `Names of attributes of players, at most ${MOST_SEGMENTS}. Their values have leaderboards of their own: \`segment=country:DE\``,
  )

/** Every field of a mini game type, in the order of the response. */
export const typeFields = {
  id: { schema: z.uuid(), ...readOnly },
  name: { schema: z.string().describe('Unique in the app, ignoring case'), create: name, change: name.optional() },
  description: { schema: z.string(), create: description.default(''), change: description.optional() },
  imageUrl: {
    schema: z.string().nullable(),
    create: fileAddress.nullish(),
    change: fileAddress.nullish().describe(CLEARED),
  },
  createdAt: { schema: timestamp, ...readOnly },
  sortOrder: {
    schema: sortOrder.describe('`desc`: higher scores are better; `asc`: lower scores are better'),
    create: sortOrder.default('desc').describe('Fixed once a score is written'),
    change: sortOrder.optional().describe('Fixed once a score is written'),
    sql: `case when ascending then 'asc' else 'desc' end`,
  },
  scoreMode: { ...withDefault(scoreMode, 'best'), sql: "split_part(score_mode, ' ', 1)" },
  ties: { ...withDefault(ties, 'first'), sql: "coalesce(nullif(split_part(score_mode, ' ', 2), ''), 'first')" },
  minScore: bound('Lower scores are refused'),
  maxScore: bound('Higher scores are refused'),
  submittedBy: withDefault(submittedBy, 'server'),
  timeZone: withDefault(timeZone, 'UTC'),
  historyDays: withDefault(historyDays, 400),
  rules: {
    schema: MiniGameTypeRules.nullable().describe('`null`: no rules'),
    create: MiniGameTypeRules.nullish(),
    change: MiniGameTypeRules.nullish().describe('Replaces all rules; `null` removes them'),
  },
  segments: withDefault(segments, []),
} as const satisfies Fields

/** A bound of scores, which may be absent. */
function bound(meaning: string) {
  return {
    schema: z.number().nullable().describe(meaning),
    create: z.number().nullish().describe(meaning),
    change: z.number().nullish().describe(CLEARED),
  }
}

/** A field that always has a value, by default this one. */
function withDefault<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) {
  return { schema, create: schema.default(value as never), change: schema.optional() }
}

type Mode = { scoreMode: z.infer<typeof scoreMode>; ties: z.infer<typeof ties> }

/** The column `score_mode`: what counts, and the order of equal scores if it is another than `first`. */
export const storedMode = (type: Mode) => (type.ties === 'first' ? type.scoreMode : `${type.scoreMode} ${type.ties}`)
