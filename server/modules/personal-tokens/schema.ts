import { z } from 'zod'
import { chosenName, timestamp } from '../../platform/schema.ts'

/** The most tokens of a user that work at a time. */
export const MAX_TOKENS = 20
const LONGEST_DAYS = 366

const Scope = z.enum(['read', 'write']).describe('`read`: GET only; `write`: all methods')

export const NewPersonalToken = z
  .object({
    name: chosenName.meta({
      minLength: 1,
      maxLength: 255,
      description: 'A name to recognise it by, such as that of the program',
    }),
    scope: Scope.default('read'),
    lifetimeDays: z.int().min(1).max(LONGEST_DAYS).default(90),
  })
  .meta({ id: 'NewPersonalToken' })
export type NewPersonalToken = z.infer<typeof NewPersonalToken>

export const PersonalToken = z
  .object({ id: z.uuid(), name: z.string(), scope: Scope, createdAt: timestamp, expiresAt: timestamp })
  .meta({ id: 'PersonalToken' })
export type PersonalToken = z.infer<typeof PersonalToken>

export const PersonalTokenList = z.object({ tokens: z.array(PersonalToken) }).meta({ id: 'PersonalTokenList' })

export const CreatedPersonalToken = PersonalToken.extend({
  token: z.string().describe('Shown only here. Send it in `Authorization: Bearer`, or as the password of HTTP Basic'),
}).meta({ id: 'CreatedPersonalToken' })
export type CreatedPersonalToken = z.infer<typeof CreatedPersonalToken>
