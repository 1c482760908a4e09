import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import type { ObjectAccess } from './object-access.ts'

const PURPOSE = 'object-addresses'
const DOWNLOAD_SECONDS = 15 * 60
/** Minimum validity of a URL for viewing, and how often it changes: browsers can cache it for that long. */
const LOOK_SECONDS = 60 * 60
const LOOK_STEP = 15 * 60

/**
 * What a signed URL allows its bearer: one method on one object until `expires` (seconds since 1970); a PUT exactly
 * this type and size. GET includes HEAD. OPEN is a GET for as long as the object is public.
 */
export type Grant = { method: 'GET' | 'OPEN' | 'PUT'; key: string; expires: number; type?: string; size?: number }

export type SignedUrls = ReturnType<typeof signedUrls>

/** Signed URLs: each allows one operation on one object for a limited time; HMAC-SHA-256 over the whole grant. */
export function signedUrls({ objects, secrets, clock = Date }: { objects: Objects; secrets: Secrets; clock?: Clock }) {
  /** The time this many seconds from now, in seconds since 1970. */
  const inSeconds = (seconds: number): number => Math.floor(clock.now() / 1000) + seconds

  const signed = (method: 'GET' | 'OPEN', key: string, expires: number, more: Record<string, string> = {}): string => {
    const signature = signatureOf({ method, key, expires })
    return `${objects.addressOf(key)}?${new URLSearchParams({ expires: String(expires), signature, ...more })}`
  }

  /** JSON makes the encoding of grants unambiguous. */
  const signatureOf = ({ method, key, expires, type = '', size = -1 }: Grant) =>
    secrets.sign(PURPOSE, JSON.stringify([method, key, expires, type, size]))

  return {
    sign: signatureOf,

    /** Whether the signature is valid for exactly this grant and has not expired. */
    isGood(grant: Grant, signature: string): boolean {
      const given = Buffer.from(signature)
      const right = Buffer.from(signatureOf(grant))
      return given.length === right.length && timingSafeEqual(given, right) && grant.expires * 1000 > clock.now()
    },

    /**
     * A URL to download the object under its name, valid for 15 minutes: at the storage itself if it has signed URLs,
     * otherwise here. A public object is always downloaded here, so that access ends as soon as its owner makes it
     * private.
     */
    async download(
      key: string,
      { fileName, mimeType }: { fileName: string; mimeType: string },
      { owners, mayChange }: ObjectAccess,
    ): Promise<string> {
      const isOpen = owners === null
      if (objects.directDownload && !(isOpen && mayChange))
        return objects.directDownload(key, { seconds: DOWNLOAD_SECONDS, fileName, mimeType })
      const expires = inSeconds(DOWNLOAD_SECONDS)
      return signed(isOpen ? 'OPEN' : 'GET', key, expires, { ...(isOpen && { open: '1' }), download: '1' })
    },

    /** A URL to view an object that is not public, valid for at least an hour. */
    look: (key: string): string => signed('GET', key, Math.ceil(inSeconds(LOOK_SECONDS) / LOOK_STEP) * LOOK_STEP),
  }
}
