import { randomBytes } from 'node:crypto'
import { v7, validate } from 'uuid'

/** A new record id: UUIDv7 (RFC 9562), so that ids of one table sort by the time they were made. */
export const newId = (): string => v7()

/** Ids are opaque to clients: anything that is not one of ours simply does not exist. */
export const isId = (text: string): boolean => validate(text)

/** A file id: 52 random bits, never 0. File ids are addresses, so they must not be enumerable. */
export function newFileId(): number {
  const bytes = randomBytes(8)
  return Number(bytes.readBigUInt64BE() >> 12n) || newFileId()
}
