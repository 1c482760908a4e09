import { z } from 'zod'
import { timestamp, timestampInput } from '../../../../platform/schema.ts'

const DAY_MS = 86_400_000
/** The longest time that one request counts. */
const MAX_DAYS = 366
/** No check-in is older, and PostgreSQL has no year 0. */
const FIRST_MS = Date.parse('1970-01-01T00:00:00Z')

export const CheckInCountQuery = z.object({
  from: timestampInput
    .optional()
    .describe(`Counts check-ins from this time on; default: ${MAX_DAYS} days before \`to\``),
  to: timestampInput.optional().describe('Counts check-ins before this time; default: now'),
  limit: z.coerce.number().int().min(1).max(1000).default(300).describe('Fences in the response'),
})
type CheckInCountQuery = z.infer<typeof CheckInCountQuery>

/** The time in which check-ins are counted. */
export type Span = { from: string; to: string }

/** The time that a query names. @returns undefined if it is too long, ends before it begins, or begins before 1970 */
export function spanOf({ from, to }: CheckInCountQuery, now: number): Span | undefined {
  const end = to === undefined ? now : Date.parse(to)
  const begin = from === undefined ? end - MAX_DAYS * DAY_MS : Date.parse(from)
  if (begin > end || end - begin > MAX_DAYS * DAY_MS || begin < FIRST_MS) return undefined
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() }
}

/** What to change if there is no such time. */
export const BAD_SPAN = `must be at most ${MAX_DAYS} days before to, not after it, and not before 1970`

const count = z.int().min(0)

export const CheckInCounts = z
  .object({
    from: timestamp,
    to: timestamp,
    total: count.describe('Accepted check-ins in this time, of all fences'),
    fenceCount: count.describe('Number of fences with at least one'),
    fences: z
      .array(
        z.object({
          fenceId: z.uuid(),
          name: z.string(),
          pinId: z.int().nullable().describe('The pin that the fence is around'),
          zoneId: z.int().nullable().describe('The zone that is the fence'),
          checkIns: count,
          players: count.describe('Number of different players who checked in'),
        }),
      )
      .max(1000)
      .describe('Those with the most check-ins first, then by name'),
  })
  .meta({ id: 'CheckInCounts' })
export type CheckInCounts = z.infer<typeof CheckInCounts>
