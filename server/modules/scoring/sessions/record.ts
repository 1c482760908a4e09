import { z } from 'zod'
import { type Fields, readOnly } from '../../../platform/records/fields.ts'
import { timestamp } from '../../../platform/schema.ts'

const name = z.string().max(255)
const description = z.string().max(2000)

/** What a client may ask for. A paused session shows ACTIVE with `paused: true`. */
export const SessionStatus = z.enum(['ACTIVE', 'COMPLETED', 'PAUSED'])
export type SessionStatus = z.infer<typeof SessionStatus>

/** Every stored field of a game session, in the order of the response. */
export const sessionFields = {
  id: { schema: z.uuid(), ...readOnly },
  name: clearable(name),
  description: clearable(description),
  status: {
    schema: z.enum(['ACTIVE', 'COMPLETED']),
    create: SessionStatus.default('ACTIVE').describe(
      'COMPLETED: a game recorded after the fact; it accepts scores for 24 h',
    ),
    change: SessionStatus.optional().describe(
      'ACTIVE and PAUSED can replace each other; COMPLETED can replace either and is final',
    ),
    sql: `case status when 'completed' then 'COMPLETED' else 'ACTIVE' end`,
  },
  paused: {
    schema: z.literal(true).optional().describe('Present only on a paused session, which has status ACTIVE'),
    ...readOnly,
    sql: `nullif(status = 'paused', false)`,
  },
  startTime: { schema: timestamp, ...readOnly },
  endTime: { schema: timestamp.nullable(), ...readOnly },
  createdAt: { schema: timestamp, ...readOnly },
  updatedAt: { schema: timestamp, ...readOnly },
} as const satisfies Fields

/** A text that may be absent. */
function clearable<Schema extends z.ZodString>(schema: Schema) {
  return {
    schema: z.string().nullable(),
    create: schema.nullish(),
    change: schema.nullish().describe('`null` clears it'),
  }
}
