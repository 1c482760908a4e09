import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { HttpError } from '../errors.ts'
import { createOwnUrls, isKey, pathOf } from './own-urls.ts'

export type StoredObject = { key: string; size: number; sha256: string; head: Buffer }

/** A key created before (`newKey`), or the extension of one to create. */
export type Placement = { extension: string; key?: never } | { key: string; extension?: never }

/** The request with which a client stores one object directly. */
export type DirectUpload = { url: string; headers: Record<string, string> }

/** The key is taken: the content of a key never changes. */
export class ObjectExists extends Error {}

/** The bytes of a known object are not in the storage. */
export class ObjectMissing extends Error {
  constructor() {
    super('The bytes of a file are missing from the storage')
  }
}

/**
 * Stores the bytes of files. Keys are generated here, never by callers, and cannot be guessed: they are part of URLs.
 */
export type Objects = {
  /**
   * Stores a stream, hashing it on the way. Nothing is visible under the key until every byte is stored. @param limit
   * maximum bytes; more is 413 and leaves nothing behind @throws ObjectExists
   */
  put: (bytes: AsyncIterable<Uint8Array>, options: Placement & { limit?: number }) => Promise<StoredObject>
  /** @returns undefined if the object does not exist. `end` is inclusive. */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable | undefined>
  size: (key: string) => Promise<number | undefined>
  remove: (key: string) => Promise<void>
  /** All objects, in no order. `writtenAt` in milliseconds since 1970. */
  list: () => AsyncIterable<{ key: string; size: number; writtenAt: number }>
  /** The public URL of an object, and back. */
  addressOf: (key: string) => string
  keyOf: (address: string) => string | undefined
  /** A URL that downloads the object from the storage itself, valid for `seconds`. Absent if the storage has none. */
  directDownload?: (key: string, options: { seconds: number; fileName: string; mimeType: string }) => Promise<string>
  /**
   * Lets a client store exactly `size` bytes under a new key directly, once, within `seconds`. Absent if the storage
   * has no URLs; undefined if it cannot ensure "once".
   */
  directUpload?: (
    key: string,
    options: { seconds: number; mimeType: string; size: number },
  ) => Promise<DirectUpload | undefined>
  /** Checks that objects can be written. */
  check: () => Promise<void>
  /**
   * Removes unfinished writes of killed processes. @param olderThanMs since the last byte was written; 0 for all, which
   * requires that nobody writes @returns how many there were
   */
  sweep: (options: { olderThanMs: number }) => Promise<number>
}

/** @throws 404 if it does not have the form of a key */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new HttpError(404, 'There is no such file')
  return key
}

/** The default file name of an object. */
export const fileNameOfKey = (key: string): string => key.slice(key.indexOf('/') + 1)

/** Creates an unguessable key: two letters that spread objects over folders, then 128 random bits. */
export function newKey(extension: string): string {
  const name = randomBytes(16).toString('base64url')
  const spread = createHash('sha256').update(name).digest('hex').slice(0, 2)
  const suffix = extension.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${spread}/${name}${suffix ? `.${suffix.slice(0, 12)}` : ''}`
}

/** Converts between keys and URLs, for any storage. */
export function objectAddresses(publicUrl: () => string) {
  const { written, keyOf } = createOwnUrls(publicUrl)
  return { addressOf: (key: string): string => written(pathOf(key)), keyOf }
}
