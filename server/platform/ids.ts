import { randomBytes } from 'node:crypto'
import { v7, validate } from 'uuid'

/** Creates a record ID: UUIDv7 (RFC 9562), so that the IDs of a table sort by creation time. */
export const newId = (): string => v7()

/** IDs are opaque to clients: a text of any other form is an unknown ID. */
export const isId = (text: string): boolean => validate(text)

/** Creates a file ID: 52 random bits, never 0. File IDs are part of public URLs, so they must not be enumerable. */
export function newFileId(): number {
  const bytes = randomBytes(8)
  return Number(bytes.readBigUInt64BE() >> 12n) || newFileId()
}
