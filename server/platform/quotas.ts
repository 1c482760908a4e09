import type { Config } from './config.ts'
import { hasOpsAccess, type Writer } from './credentials/guards.ts'
import { conflict, HttpError } from './errors.ts'
import type { QuotaUse } from './schema.ts'

/** How much a user, or an app, may own. Ops may own any number of what users own: they run the service. */
export type Quotas = ReturnType<typeof ownershipQuotas>

export const ownershipQuotas = (config: Config) => ({
  apps: config.CAIRN_QUOTA_APPS,
  keys: config.CAIRN_QUOTA_KEYS,
  webhooks: config.CAIRN_QUOTA_WEBHOOKS,
  gameTypes: config.CAIRN_QUOTA_GAME_TYPES,
  zones: config.CAIRN_QUOTA_ZONES,
  zonePositions: config.CAIRN_QUOTA_ZONE_POSITIONS,
  imports: config.CAIRN_QUOTA_IMPORTS,
})

const SETTINGS: Record<keyof Quotas, { what: string; setting: string; mend: string }> = {
  apps: { what: 'A user has at most # apps', setting: 'CAIRN_QUOTA_APPS', mend: 'delete one' },
  keys: { what: 'An app has at most # keys that work', setting: 'CAIRN_QUOTA_KEYS', mend: 'end one whose grace runs' },
  webhooks: { what: 'An app has at most # webhooks', setting: 'CAIRN_QUOTA_WEBHOOKS', mend: 'delete one' },
  gameTypes: { what: 'An app has at most # mini game types', setting: 'CAIRN_QUOTA_GAME_TYPES', mend: 'delete one' },
  zones: { what: 'A user has at most # zones', setting: 'CAIRN_QUOTA_ZONES', mend: 'delete one' },
  zonePositions: {
    what: 'The boundaries of a user’s zones have at most # positions together',
    setting: 'CAIRN_QUOTA_ZONE_POSITIONS',
    mend: 'simplify one',
  },
  imports: {
    what: 'A user has at most # imports under way',
    setting: 'CAIRN_QUOTA_IMPORTS',
    mend: 'send this again once one has ended',
  },
}

/** What to refuse with when a quota is used up: 409, and 429 for what ends by itself. */
export function quotaExceeded(name: keyof Quotas, most: number): HttpError {
  const { what, setting, mend } = SETTINGS[name]
  const sentence = `${what.replace('#', most.toLocaleString('en'))}: ${mend}, or ask the operator to raise ${setting}`
  return name === 'imports' ? new HttpError(429, sentence, { 'retry-after': '10' }) : conflict(sentence)
}

/** How many of something a user may own. */
export const quotaOf = (user: Writer, most: number): number => (hasOpsAccess(user) ? Number.POSITIVE_INFINITY : most)

/** How much of a quota is used, as it is told. */
export const quotaUse = (name: QuotaUse['name'], used: number, most: number): QuotaUse => ({
  name,
  used,
  most: Number.isFinite(most) ? most : null,
  setting: SETTINGS[name === 'hiddenGameTypes' ? 'gameTypes' : name].setting,
})
