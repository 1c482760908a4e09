import { timingSafeEqual } from 'node:crypto'
import type { Objects } from '../../platform/objects.ts'
import type { Secrets } from '../../platform/secrets.ts'

const PURPOSE = 'object-addresses'
const LIFETIME_SECONDS = 15 * 60

export type SignedAddresses = ReturnType<typeof signedAddresses>

/** Addresses that let their bearer download one object for a quarter of an hour: HMAC-SHA-256 over the key and the moment it ends. */
export function signedAddresses({ objects, secrets }: { objects: Objects; secrets: Secrets }) {
  const signatureOf = (key: string, expires: string) => secrets.sign(PURPOSE, `${key}\n${expires}`)

  return {
    sign(key: string): string {
      const expires = String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS)
      const query = new URLSearchParams({ expires, signature: signatureOf(key, expires), download: '1' })
      return `${objects.addressOf(key)}?${query}`
    },

    /** Whether the signature is ours, for this object, and still good. */
    isGood(key: string, expires: string, signature: string): boolean {
      const given = Buffer.from(signature)
      const right = Buffer.from(signatureOf(key, expires))
      return given.length === right.length && timingSafeEqual(given, right) && Number(expires) * 1000 > Date.now()
    },
  }
}
