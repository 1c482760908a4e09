import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import type { ObjectAccess } from './object-access.ts'

const PURPOSE = 'object-addresses'
const DOWNLOAD_SECONDS = 15 * 60
/** How long an address to look at something is good at least, and how often it becomes another: a browser finds what it has. */
const LOOK_SECONDS = 60 * 60
const LOOK_STEP = 15 * 60

/** What a signed address allows its bearer: one method on one object until `expires` (seconds since 1970); a PUT takes exactly this type and size. A GET allows HEAD too. OPEN is a GET as long as everybody may see the object. */
export type Grant = { method: 'GET' | 'OPEN' | 'PUT'; key: string; expires: number; type?: string; size?: number }

export type SignedUrls = ReturnType<typeof signedUrls>

/** Addresses that let their bearer do one thing with one object for a while: HMAC-SHA-256 over the whole grant. */
export function signedUrls({ objects, secrets, clock = Date }: { objects: Objects; secrets: Secrets; clock?: Clock }) {
  /** The moment that is so many seconds from now, in seconds since 1970. */
  const inSeconds = (seconds: number): number => Math.floor(clock.now() / 1000) + seconds

  const signed = (method: 'GET' | 'OPEN', key: string, expires: number, more: Record<string, string> = {}): string => {
    const signature = signatureOf({ method, key, expires })
    return `${objects.addressOf(key)}?${new URLSearchParams({ expires: String(expires), signature, ...more })}`
  }

  /** As JSON, so that no two grants can be written alike. */
  const signatureOf = ({ method, key, expires, type = '', size = -1 }: Grant) =>
    secrets.sign(PURPOSE, JSON.stringify([method, key, expires, type, size]))

  return {
    sign: signatureOf,

    /** Whether the signature is ours, for exactly this grant, and still good. */
    isGood(grant: Grant, signature: string): boolean {
      const given = Buffer.from(signature)
      const right = Buffer.from(signatureOf(grant))
      return given.length === right.length && timingSafeEqual(given, right) && grant.expires * 1000 > clock.now()
    },

    /** Where the object can be downloaded under its name for a quarter of an hour: at the storage itself, if that hands out addresses, else here.
     * What everybody may see for now is downloaded here, where it is closed as soon as its owner says so. */
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

    /** Where the object can be seen, as at its plain address, for an hour at least: for what not everybody may see. */
    look: (key: string): string => signed('GET', key, Math.ceil(inSeconds(LOOK_SECONDS) / LOOK_STEP) * LOOK_STEP),
  }
}
