import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lchownSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureDir, giveToParentOwner } from '../storage/folder/ensure-dir.ts'

/** Uses of the service's one secret: a separate key for each purpose (HKDF-SHA-256, RFC 5869). */
export type Secrets = {
  /** AES-256-GCM: `iv.ciphertext+tag`, base64url. */
  seal: (purpose: string, text: string) => string
  /** @throws if the text was sealed with another secret or purpose, or was changed */
  open: (purpose: string, sealed: string) => string
  /** HMAC-SHA-256, base64url. */
  sign: (purpose: string, text: string) => string
}

const SHORTEST = 32

/**
 * The configured secret, otherwise the one in the data folder (created at the first start, readable by its owner only).
 */
export const readSecret = (given: string | undefined, dataDir: string): string =>
  given ?? loadOrCreateSecret(join(dataDir, 'secret'))

/**
 * The secret from the configuration or the data folder, if there is one; creates none. @throws a sentence if the file
 * has none
 */
export const existingSecret = (given: string | undefined, dataDir: string): string | undefined =>
  given ?? readIfThere(join(dataDir, 'secret'))

/**
 * Reads or creates a secret in a file of mode 600, atomically: of concurrent creators one wins. @throws a sentence if
 * the file exists but has no secret
 */
export function loadOrCreateSecret(file: string, owner?: { uid: number; gid: number }): string {
  ensureDir(dirname(file))
  const known = readIfThere(file)
  if (known !== undefined) return known
  const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    const handle = openSync(partial, 'wx', 0o600)
    writeFileSync(handle, randomBytes(48).toString('base64url'))
    fsyncSync(handle)
    closeSync(handle)
    if (owner) lchownSync(partial, owner.uid, owner.gid)
    else giveToParentOwner(partial)
    linkSync(partial, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(partial, { force: true })
  }
  return readIfThere(file)!
}

/**
 * Makes the secret of a backup this service's: the configured one must be the same, otherwise it is stored in the data
 * folder. @throws a sentence if there is another one
 */
export function migrateSecretFile(
  secret: string,
  given: string | undefined,
  dataDir: string,
  { replace }: { replace: boolean },
): void {
  if (given !== undefined && given !== secret)
    throw new Error('CAIRN_SECRET is not the secret of the backup: leave it unset, or set it to that one')
  if (given !== undefined) return
  const file = join(dataDir, 'secret')
  const known = readIfThere(file)
  if (known === secret) return
  if (known !== undefined && !replace)
    throw new Error(`${file} has another secret: remove it, or pass --force to replace it with that of the backup`)
  ensureDir(dataDir)
  const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(partial, secret, { mode: 0o600, flag: 'wx', flush: true })
  giveToParentOwner(partial)
  renameSync(partial, file)
}

function readIfThere(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= SHORTEST) return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  throw new Error(
    `${file} has no secret of at least ${SHORTEST} characters: restore it from a backup, or remove it if there is no data yet`,
  )
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
