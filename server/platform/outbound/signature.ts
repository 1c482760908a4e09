import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const BYTES = 32

/** Creates a webhook secret as defined by Standard Webhooks: `whsec_` and the base64 of 24 to 64 random bytes. */
export const newSecret = (): string => PREFIX + randomBytes(BYTES).toString('base64')

/**
 * The signature headers of a message (Standard Webhooks 1.0.0, symmetric signatures): HMAC-SHA-256 over
 * `id.timestamp.body`, one signature per secret, so that a receiver that knows any of them accepts. @param at the
 * moment of the attempt
 */
export function signedHeaders(id: string, at: Date, body: string, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
