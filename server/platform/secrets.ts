import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the service's one secret is used for: a key of its own for each purpose (HKDF-SHA-256, RFC 5869). */
export type Secrets = {
  /** AES-256-GCM: `iv.ciphertext+tag`, base64url. */
  seal: (purpose: string, text: string) => string
  /** @throws when the text was sealed under another secret or purpose, or was changed. */
  open: (purpose: string, sealed: string) => string
  /** HMAC-SHA-256, base64url. */
  sign: (purpose: string, text: string) => string
}

/** The secret from the configuration, else the one kept in the data folder (made there at the first start, readable by its owner only). */
export function readSecret(given: string | undefined, dataDir: string): string {
  if (given) return given
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'secret')
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

export function createSecrets(secret: string): Secrets {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'cairn', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  return {
    seal: (purpose, text) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${iv.toString('base64url')}.${sealed.toString('base64url')}`
    },
    open: (purpose, sealed) => {
      const [iv = '', rest = ''] = sealed.split('.')
      const bytes = Buffer.from(rest, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), Buffer.from(iv, 'base64url'))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
    },
    sign: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
  }
}
