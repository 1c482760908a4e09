import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from '../../platform/credentials/key-kinds.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^cairn_(?:client_)?([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/

/**
 * Creates an app API key: `cairn_` + 8 base62 (its public ID) + `_` + 32 base62 random + 6 base62 CRC32 of all before.
 * A client key starts with `cairn_client_`. The checksum refuses a typo without a query, and secret scanners can match
 * the format and distinguish a server key from a client key.
 */
export function newApiKey(kind: KeyKind = 'server'): string {
  const body = `${prefixOf(kind)}${random(8)}_${random(32)}`
  return body + checksum(body)
}

/** The public ID of a well-formed key, or undefined. */
export function keyIdOf(key: string): string | undefined {
  const [, id] = FORM.exec(key) ?? []
  return id && checksum(key.slice(0, -6)) === key.slice(-6) ? id : undefined
}

/** The key as shown to everyone but the app's owner. */
export const maskedKey = (keyId: string, kind: KeyKind = 'server') => `${prefixOf(kind)}${keyId}_…`

export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Compares in constant time. */
export const hashMatches = (key: string, stored: Buffer) => timingSafeEqual(hashKey(key), stored)

const prefixOf = (kind: KeyKind) => (kind === 'client' ? 'cairn_client_' : 'cairn_')

const random = (length: number) => Array.from({ length }, () => BASE62[randomInt(62)]).join('')

function checksum(text: string) {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
