import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../platform/credentials/secrets.ts'
import type { Objects } from '../../platform/storage/objects.ts'

const PURPOSE = 'object-addresses'
const DOWNLOAD_SECONDS = 15 * 60

/** What a signed address allows its bearer: one method on one object until `expires` (seconds since 1970); a PUT takes exactly this type and size. A GET allows HEAD too. */
export type Grant = { method: 'GET' | 'PUT'; key: string; expires: number; type?: string; size?: number }

export type SignedAddresses = ReturnType<typeof signedAddresses>

/** Addresses that let their bearer do one thing with one object for a while: HMAC-SHA-256 over the whole grant. */
export function signedAddresses({ objects, secrets }: { objects: Objects; secrets: Secrets }) {
  /** As JSON, so that no two grants can be written alike. */
  const signatureOf = ({ method, key, expires, type = '', size = -1 }: Grant) =>
    secrets.sign(PURPOSE, JSON.stringify([method, key, expires, type, size]))

  return {
    sign: signatureOf,

    /** Whether the signature is ours, for exactly this grant, and still good. */
    isGood(grant: Grant, signature: string): boolean {
      const given = Buffer.from(signature)
      const right = Buffer.from(signatureOf(grant))
      return given.length === right.length && timingSafeEqual(given, right) && grant.expires * 1000 > Date.now()
    },

    /** Where the object can be downloaded under its name for a quarter of an hour: at the storage itself, if that hands out addresses, else here. */
    async download(key: string, { fileName, mimeType }: { fileName: string; mimeType: string }): Promise<string> {
      if (objects.directDownload) return objects.directDownload(key, { seconds: DOWNLOAD_SECONDS, fileName, mimeType })
      const expires = inSeconds(DOWNLOAD_SECONDS)
      const signature = signatureOf({ method: 'GET', key, expires })
      return `${objects.addressOf(key)}?${new URLSearchParams({ expires: String(expires), signature, download: '1' })}`
    },
  }
}

/** The moment that is so many seconds from now, in seconds since 1970. */
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
