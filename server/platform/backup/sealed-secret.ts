import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { createSecrets } from '../credentials/secrets.ts'

/**
 * The service's secret in a backup: always a check value to compare another one with and, with a passphrase, the secret
 * itself.
 */
export type BackupSecret = { nonce: string; check: string; sealed?: { salt: string; iv: string; text: string } }

const PURPOSE = 'backup'
/** RFC 7914: N, r and p; 128 MiB, about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

/** @param passphrase encrypts the secret with scrypt and AES-256-GCM; without one it is omitted */
export function keepSecret(secret: string, passphrase: string | undefined): BackupSecret {
  const nonce = randomBytes(16).toString('base64url')
  const kept = { nonce, check: checkOf(secret, nonce) }
  if (passphrase === undefined) return kept
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, COST), iv)
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const text = sealed.toString('base64url')
  return { ...kept, sealed: { salt: salt.toString('base64url'), iv: iv.toString('base64url'), text } }
}

/** @throws a sentence if the backup has none, or the passphrase is wrong */
export function openSecret({ sealed }: BackupSecret, passphrase: string): string {
  if (!sealed) throw new Error('This backup has no secret: it was created without a passphrase')
  const [salt, iv, bytes] = [sealed.salt, sealed.iv, sealed.text].map((text) => Buffer.from(text, 'base64url'))
  const decipher = createDecipheriv('aes-256-gcm', scryptSync(passphrase, salt!, 32, COST), iv!)
  decipher.setAuthTag(bytes!.subarray(-16))
  try {
    return Buffer.concat([decipher.update(bytes!.subarray(0, -16)), decipher.final()]).toString('utf8')
  } catch {
    throw new Error('Wrong passphrase for this backup')
  }
}

/** Whether the backup was made with this secret. */
export const isSecretOf = (kept: BackupSecret, secret: string): boolean => checkOf(secret, kept.nonce) === kept.check

const checkOf = (secret: string, nonce: string) => createSecrets(secret).sign(PURPOSE, nonce)
