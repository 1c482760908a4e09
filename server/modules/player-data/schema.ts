import { z } from 'zod'
import { moment } from '../../platform/schema.ts'

/** The largest value, as JSON in UTF-8. */
export const MAX_VALUE_BYTES = 64 * 1024

/** The name of a value, chosen by the game. */
export const StorageKey = z
  .string()
  .regex(/^\w[\w.-]{0,127}$/, 'must have 1 to 128 letters, digits, ., _ or -, and begin with a letter, a digit or _')
  .describe('Chosen by the game: letters, digits, `.`, `_` and `-`')

export const StoredValue = z
  .record(z.string(), z.unknown())
  .describe('Any JSON object of up to 64 KiB; its members are yours')
  .meta({ id: 'PlayerStorageValue' })
export type StoredValue = z.infer<typeof StoredValue>

export const StoredKey = z
  .object({
    key: z.string(),
    size: z.int().min(0).describe('Bytes of the value as JSON'),
    etag: z.string().describe('The `ETag` of the value, for `If-Match`').meta({ example: '"018f3a5c-…"' }),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'PlayerStorageKey' })
export type StoredKey = z.infer<typeof StoredKey>

export const StoredKeyList = z.object({ keys: z.array(StoredKey) }).meta({ id: 'PlayerStorageKeyList' })
