import { z } from 'zod'
import { isOwnPath } from './storage/own-urls.ts'

/** Characters that RFC 3986 allows in a URL; all others must be percent-encoded. */
const HTTP_ADDRESS = /^https?:\/\/(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i
const isHttpAddress = (text: string): boolean => HTTP_ADDRESS.test(text) && URL.canParse(text)

/** URLs that are stored and shown, never fetched: http and https only. */
export const httpAddress = z
  .stringFormat('uri', isHttpAddress, {
    error: 'must be an http or https URL, with spaces and other invalid characters percent-encoded',
  })
  .max(2048)

/** The same, or a path of a file of this service without its public address. */
export const fileAddress = z
  .stringFormat('uri', (text) => isOwnPath(text) || isHttpAddress(text), {
    error:
      'must be an http or https URL, with spaces and other invalid characters percent-encoded, or the path of a file of this service, /files/…',
  })
  .max(2048)

/** A URL compared with stored ones: earlier releases accepted more than now. */
export const givenAddress = z
  .stringFormat('uri', (text) => isOwnPath(text) || (/^https?:/i.test(text) && URL.canParse(text)), {
    error: 'must be an http or https URL',
  })
  .max(2048)

/** A time in UTC with milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })

/**
 * A time in ISO 8601 with a zone, from callers; stored to the millisecond, as it is returned. Restricted to the years 1
 * to 9999, which PostgreSQL can store and ISO 8601 writes with four digits.
 */
export const timestampInput = z.iso
  .datetime({ offset: true, error: 'must be a time in ISO 8601 with its zone, such as 2026-01-31T12:00:00Z' })
  .refine((text) => /^(?!0000)\d{4}-/.test(new Date(text).toJSON() ?? ''), {
    error: 'must be a time in the years 1 to 9999',
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString())

/** A day, from callers, in the years that PostgreSQL can store. */
export const dateInput = z.iso
  .date()
  .refine((text) => !text.startsWith('0000'), { error: 'must be a date in the years 1 to 9999' })

/** A record ID in a path. IDs are opaque to clients, so a malformed one is unknown: 404 "<what> not found". */
export const pathId = (what: string) => z.uuid({ error: `${what} not found` }).describe(`${what} ID`)

/** An integer ID in a path; 400 if malformed. */
export const pathInteger = z
  .string()
  .regex(/^[1-9]\d*$/, { error: 'must be a positive integer', abort: true })
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be below 2^53, like every ID')
  .meta({ type: 'integer', format: 'int64', minimum: 1 })

/** A number in a query, parsed strictly: `12,5`, `1e`, an empty text and NaN are refused. */
export const queryNumber = z
  .string()
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'must be a number such as 12.5')
  .transform(Number)
  .refine(Number.isFinite, 'must be a finite number')

export const queryInteger = z
  .string()
  .regex(/^-?\d+$/, { error: 'must be an integer', abort: true })
  .transform(Number)
  .refine(Number.isSafeInteger, { error: 'must be between -(2^53) and 2^53', abort: true })
  .meta({ type: 'integer' })

/** Maximum number of rows in a page. @param usual default @param largest highest allowed value */
export const listLimit = (usual: number, largest: number) =>
  queryInteger.pipe(z.number().min(1).max(largest)).default(usual).meta({
    type: 'integer',
    minimum: 1,
    maximum: largest,
    default: usual,
    description: 'Maximum number of rows in the page',
  })

/** The position of the next page. */
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

/** The body of every error. */
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

/** Large numbers of rows are counted up to here only: counting millions would read them all. */
export const MAX_COUNTED = 10_000
/** Description of `search` in lists; see platform/database/query/name-search.ts. */
export const SEARCHED =
  'With 10,000 rows or more, `search` matches prefixes of the first three words of a name and returns at most 1,000 rows: a longer text finds the others.'
/** Added where the name index is ordered by age. */
export const NEWEST_FOUND = 'Of rows with the same name, the newest are found.'
/** Added where `assertFullSession` guards an operation. */
export const FULL_SESSION_ONLY = 'Not available with a personal token, or in a session created with a six-digit code.'
/** Description of filtered totals; see platform/database/row-counts.ts. */
export const COUNTED = 'With a filter, `X-Total-Count` counts up to 10,000.'

const SEEN = /^$|[^\p{Default_Ignorable_Code_Point}\s]/u
/**
 * Characters that make a name look like another, or the text around it like something else: control characters, line
 * separators, those that change the direction of text, and invisible ones. Joiners, variation selectors and tags are
 * allowed: scripts and emoji need them, and names are compared without them.
 */
const PLAIN =
  /^(?:\u200c|\u200d|\p{Variation_Selector}|[\u{e0020}-\u{e007f}]|[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}])*$/u

/** A name chosen by people: trimmed, NFC, 1 to 255 characters, at least one of them visible and none deceptive. */
export const chosenName = z
  .string()
  .transform((name) => name.trim().normalize('NFC'))
  .pipe(
    z
      .string()
      .min(1)
      .max(255)
      .regex(SEEN, { error: 'must have a visible character', abort: true })
      .regex(PLAIN, 'must not have control characters, invisible characters or ones that change the direction of text'),
  )

/** The usage of a quota. */
export const QuotaUse = z
  .object({
    name: z
      .enum([
        'apps',
        'keys',
        'webhooks',
        'gameTypes',
        'hiddenGameTypes',
        'zones',
        'zonePositions',
        'imports',
        'storageBytes',
      ])
      .describe(
        '`keys`: valid ones; `zonePositions`: of all boundaries together; `imports`: pending and running ones; `storageBytes`: of the values of all players',
      ),
    used: z.int().min(0).describe('How much is used'),
    most: z.int().nullable().describe('The limit; `null` for ops, who may own any number'),
    isNearlyUsed: z.boolean().describe('Whether 80 % of it are used: the console and alerts warn then'),
    setting: z.string().describe('The environment variable that sets it'),
  })
  .meta({ id: 'QuotaUse' })
export type QuotaUse = z.infer<typeof QuotaUse>

/** The languages of pages and mails for people, by their tags (BCP 47): those of the console. */
export const Language = z.enum(['en', 'de', 'es'])
export type Language = z.infer<typeof Language>
