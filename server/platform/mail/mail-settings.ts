import { z } from 'zod'

/** An address of mail. */
export const mailAddress = z.email('must be an address such as alerts@example.org').max(254)

/** The URL of a mail server. Messages about it do not show it, because it has a password. */
export const mailServer = z
  .string()
  .refine(
    isMailServer,
    'must be a URL such as smtps://user:password@mail.example.org:465 or smtp://mail.example.org:587, with % codes for special characters',
  )

/** A secret as defined by Standard Webhooks. */
export const signingSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and the base64 of 24 to 64 random bytes')

function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text)
  const areDecodable = [username, password].every((part) => /^([^%]|%[0-9a-f]{2})*$/i.test(part))
  return /^smtps?:$/.test(protocol) && hostname !== '' && areDecodable && /^\/?$/.test(pathname + search + hash)
}

/** Settings that need another one. */
const TOGETHER = [
  ['CAIRN_SMTP_URL', 'CAIRN_SMTP_FROM'],
  ['CAIRN_SMTP_FROM', 'CAIRN_SMTP_URL'],
  ['CAIRN_ALERT_EMAILS', 'CAIRN_SMTP_URL'],
  ['CAIRN_ALERT_URL', 'CAIRN_ALERT_SECRET'],
  ['CAIRN_ALERT_SECRET', 'CAIRN_ALERT_URL'],
] as const

/** Complaints about settings of mail and alerts that lack another one. */
export const incompleteMail = (given: Record<string, unknown>): string[] =>
  TOGETHER.filter(([name, needed]) => name in given && !(needed in given)).map(
    ([name, needed]) => `${name} needs ${needed}, which is not set`,
  )
