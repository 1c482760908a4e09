import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { HttpError } from '../errors.ts'
import { createOwnUrls, isKey, pathOf } from './own-urls.ts'

export type StoredObject = { key: string; size: number; sha256: string; head: Buffer }

/** Under a key that was given out before (`newKey`), or under one that is made now and ends in `extension`. */
export type Placement = { extension: string; key?: never } | { key: string; extension?: never }

/** What a client sends and where, to put one object into the storage itself. */
export type DirectUpload = { url: string; headers: Record<string, string> }

/** There is an object under this key already. What is under a key never changes. */
export class ObjectExists extends Error {}

/** Where the bytes of files are kept. Keys are made here, never by callers, and cannot be guessed: they are addresses. */
export type Objects = {
  /** Streams bytes in, hashing on the way. Nothing is visible under the key until every byte is kept.
   * @param limit bytes at most; more is 413 and leaves nothing behind.
   * @throws ObjectExists */
  put: (bytes: AsyncIterable<Uint8Array>, options: Placement & { limit?: number }) => Promise<StoredObject>
  /** @returns undefined when there is no such object. `end` is inclusive. */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable | undefined>
  size: (key: string) => Promise<number | undefined>
  remove: (key: string) => Promise<void>
  /** Every object there is, in no order. `writtenAt` in milliseconds since 1970. */
  list: () => AsyncIterable<{ key: string; size: number; writtenAt: number }>
  /** The address at which the service hands the object out, and back. */
  addressOf: (key: string) => string
  keyOf: (address: string) => string | undefined
  /** An address at which the storage itself hands the object out as a download, for `seconds`. Absent where the storage is ours alone. */
  directDownload?: (key: string, options: { seconds: number; fileName: string; mimeType: string }) => Promise<string>
  /** Lets a client put exactly `size` bytes under a new key into the storage itself, once, for `seconds`. Absent where the storage is ours alone; undefined where it cannot hold to "once". */
  directUpload?: (
    key: string,
    options: { seconds: number; mimeType: string; size: number },
  ) => Promise<DirectUpload | undefined>
  /** Whether objects can be written now. */
  check: () => Promise<void>
  /** Removes what writes left unfinished when their process was killed.
   * @param olderThanMs since the last byte was written; 0 takes all, which is right while nobody writes.
   * @returns how many there were. */
  sweep: (options: { olderThanMs: number }) => Promise<number>
}

/** @throws 404 for what no object can be called. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new HttpError(404, 'There is no such file')
  return key
}

/** What an object is called that nobody gave a name. */
export const fileNameOfKey = (key: string): string => key.slice(key.indexOf('/') + 1)

/** A key that nobody can guess: two letters that spread a folder, then 128 random bits. */
export function newKey(extension: string): string {
  const name = randomBytes(16).toString('base64url')
  const spread = createHash('sha256').update(name).digest('hex').slice(0, 2)
  const suffix = extension.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${spread}/${name}${suffix ? `.${suffix.slice(0, 12)}` : ''}`
}

/** Between keys and addresses, whatever the bytes are kept in. */
export function objectAddresses(publicUrl: () => string) {
  const { written, keyOf } = createOwnUrls(publicUrl)
  return { addressOf: (key: string): string => written(pathOf(key)), keyOf }
}
