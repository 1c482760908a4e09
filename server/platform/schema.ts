import { z } from 'zod'
import { isOwnPath } from './storage/own-urls.ts'

/** What RFC 3986 lets stand in an address as it is; everything else is percent-encoded. */
const HTTP_ADDRESS = /^https?:\/\/(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i
const isHttpAddress = (text: string): boolean => HTTP_ADDRESS.test(text) && URL.canParse(text)

/** Addresses that are stored and shown, never fetched: http and https only. */
export const httpAddress = z
  .stringFormat('uri', isHttpAddress, {
    error: 'must be an http or https address, with spaces and whatever else no address holds percent-encoded',
  })
  .max(2048)

/** The same, and paths of files of this service as they are without the address it is reached at. */
export const fileAddress = z
  .stringFormat('uri', (text) => isOwnPath(text) || isHttpAddress(text), {
    error:
      'must be an http or https address, with spaces and whatever else no address holds percent-encoded, or the path of a file of this service, /files/…',
  })
  .max(2048)

/** An address that is looked for among those that are kept: more was taken before than is now. */
export const givenAddress = z
  .stringFormat('uri', (text) => isOwnPath(text) || (/^https?:/i.test(text) && URL.canParse(text)), {
    error: 'must be an http or https address',
  })
  .max(2048)

/** A moment in UTC with milliseconds. */
export const moment = z.string().meta({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })

/** A moment as callers give it, in ISO 8601 with a zone; kept to the millisecond, as it is told again. PostgreSQL keeps those of the years 1 to 9999, and ISO 8601 writes them with four digits. */
export const givenMoment = z.iso
  .datetime({ offset: true, error: 'must be a moment in ISO 8601 with its zone, such as 2026-01-31T12:00:00Z' })
  .refine((text) => /^(?!0000)\d{4}-/.test(new Date(text).toJSON() ?? ''), {
    error: 'must be a moment of the years 1 to 9999',
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString())

/** A record id in a path. Ids are opaque to clients, so a malformed one is as unknown as any other: 404 "<what> not found". */
export const pathId = (what: string) => z.uuid({ error: `${what} not found` }).describe(`${what} ID`)

/** An integer id in a path: malformed is 400. */
export const pathInteger = z
  .string()
  .regex(/^[1-9]\d*$/, { error: 'must be a positive integer', abort: true })
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be below 2^53, as every id is')
  .meta({ type: 'integer', format: 'int64', minimum: 1 })

/** A number in a query, read strictly: `12,5`, `1e`, an empty text and NaN are refused. */
export const queryNumber = z
  .string()
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'must be a number such as 12.5')
  .transform(Number)
  .refine(Number.isFinite, 'must be a finite number')

export const queryInteger = z
  .string()
  .regex(/^-?\d+$/, { error: 'must be an integer', abort: true })
  .transform(Number)
  .refine(Number.isSafeInteger, { error: 'must lie between -(2^53) and 2^53', abort: true })
  .meta({ type: 'integer' })

/** How many entries of a list are shown at most. @param usual unless told @param largest that may be asked for */
export const listLimit = (usual: number, largest: number) =>
  queryInteger.pipe(z.number().min(1).max(largest)).default(usual).meta({
    type: 'integer',
    minimum: 1,
    maximum: largest,
    default: usual,
    description: 'Maximum number of rows in the page',
  })

/** Where a list goes on. */
export const listCursor = z
  .string()
  .max(1024)
  .optional()
  .describe('Opaque; from the `Link` header (rel="next") of the previous page')

/** `true` or `false`, in lower case. */
export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' })

/** How every failure is told. */
export const ErrorBody = z
  .object({
    error: z
      .union([
        z.string(),
        z.array(
          z.object({
            code: z.string(),
            message: z.string().describe('What to change'),
            path: z.array(z.union([z.string(), z.number()])).describe('Where the fault is in the request'),
          }),
        ),
      ])
      .describe('A sentence or, for a malformed request, a list of its faults'),
  })
  .meta({ id: 'Error' })

/** Where something may be many, it is counted up to there: a list of millions is not gone through for a number. */
export const MAX_COUNTED = 10_000
/** What descriptions of lists say of `search`: platform/database/query/name-search.ts. */
export const SEARCHED =
  'With 10,000 rows or more, `search` matches prefixes of the first three words of a name and finds at most 1,000 rows; a longer text finds others.'
/** What they add where the index of names is ordered by age. */
export const NEWEST_FOUND = 'Of rows with the same name, the newest are found.'
/** What they say of filters: platform/database/row-counts.ts. */
export const COUNTED = 'With a filter, `X-Total-Count` counts up to 10,000.'

const SEEN = /^$|[^\p{Default_Ignorable_Code_Point}\s]/u

/** A name as people choose it: trimmed, NFC, 1 to 255 characters, at least one of which can be seen. */
export const chosenName = z
  .string()
  .transform((name) => name.trim().normalize('NFC'))
  .pipe(z.string().min(1).max(255).regex(SEEN, 'must have a character that can be seen'))

/** How much of a quota is used. */
export const QuotaUse = z
  .object({
    name: z
      .enum(['apps', 'keys', 'webhooks', 'gameTypes', 'hiddenGameTypes', 'zones', 'zonePositions', 'imports'])
      .describe(
        '`keys`: those that work; `zonePositions`: of all boundaries together; `imports`: those that wait or run',
      ),
    used: z.int().min(0).describe('How much is used'),
    most: z.int().nullable().describe('The limit; `null` for ops, who may own any number'),
    setting: z.string().describe('The environment variable that sets it'),
  })
  .meta({ id: 'QuotaUse' })
export type QuotaUse = z.infer<typeof QuotaUse>
