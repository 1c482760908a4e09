import type { Config } from './config.ts'
import type { Writer } from './credentials/callers.ts'
import { hasOpsAccess } from './credentials/guards.ts'
import { conflict, HttpError } from './errors.ts'
import type { QuotaUse } from './schema.ts'

/** How much a user or an app can own. Quotas of users do not apply to ops, who run the service. */
export type Quotas = ReturnType<typeof ownershipQuotas>

export const ownershipQuotas = (config: Config) => ({
  apps: config.CAIRN_QUOTA_APPS,
  keys: config.CAIRN_QUOTA_KEYS,
  webhooks: config.CAIRN_QUOTA_WEBHOOKS,
  gameTypes: config.CAIRN_QUOTA_GAME_TYPES,
  seasons: config.CAIRN_QUOTA_SEASONS,
  fences: config.CAIRN_QUOTA_FENCES,
  heldScores: config.CAIRN_QUOTA_HELD_SCORES,
  zones: config.CAIRN_QUOTA_ZONES,
  zonePositions: config.CAIRN_QUOTA_ZONE_POSITIONS,
  imports: config.CAIRN_QUOTA_IMPORTS,
  playerKeys: config.CAIRN_QUOTA_PLAYER_KEYS,
  storageBytes: config.CAIRN_QUOTA_STORAGE_BYTES,
})

const SETTINGS: Record<keyof Quotas, { what: string; setting: string; mend: string }> = {
  apps: { what: 'A user can have at most # apps', setting: 'CAIRN_QUOTA_APPS', mend: 'delete one' },
  keys: {
    what: 'An app can have at most # working keys',
    setting: 'CAIRN_QUOTA_KEYS',
    mend: 'revoke one',
  },
  webhooks: { what: 'An app can have at most # webhooks', setting: 'CAIRN_QUOTA_WEBHOOKS', mend: 'delete one' },
  gameTypes: {
    what: 'An app can have at most # mini game types',
    setting: 'CAIRN_QUOTA_GAME_TYPES',
    mend: 'delete one',
  },
  seasons: {
    what: 'An app can have at most # seasons, ended ones included',
    setting: 'CAIRN_QUOTA_SEASONS',
    mend: 'delete one',
  },
  fences: { what: 'An app can have at most # fences', setting: 'CAIRN_QUOTA_FENCES', mend: 'delete one' },
  heldScores: {
    what: 'An app can have at most # held scores',
    setting: 'CAIRN_QUOTA_HELD_SCORES',
    mend: 'review some of them',
  },
  zones: { what: 'A user can have at most # zones', setting: 'CAIRN_QUOTA_ZONES', mend: 'delete one' },
  zonePositions: {
    what: 'The boundaries of a user’s zones can have at most # positions in total',
    setting: 'CAIRN_QUOTA_ZONE_POSITIONS',
    mend: 'simplify one',
  },
  imports: {
    what: 'A user can have at most # imports in progress',
    setting: 'CAIRN_QUOTA_IMPORTS',
    mend: 'retry once one has ended',
  },
  playerKeys: {
    what: 'A player can have at most # storage keys',
    setting: 'CAIRN_QUOTA_PLAYER_KEYS',
    mend: 'delete one',
  },
  storageBytes: {
    what: 'The storage of an app’s players can have at most # bytes in total',
    setting: 'CAIRN_QUOTA_STORAGE_BYTES',
    mend: 'delete keys',
  },
}

/** The error for a used-up quota: 409, or 429 if it frees up by itself. */
export function quotaExceeded(name: keyof Quotas, most: number): HttpError {
  const { what, setting, mend } = SETTINGS[name]
  const sentence = `${what.replace('#', most.toLocaleString('en'))}: ${mend}, or ask the operator to raise ${setting}`
  return name === 'imports' ? new HttpError(429, sentence, { 'retry-after': '10' }) : conflict(sentence)
}

/** The quota of a user; unlimited for ops. */
export const quotaOf = (user: Writer, most: number): number => (hasOpsAccess(user) ? Number.POSITIVE_INFINITY : most)

/** From this share on, a quota is nearly used up. */
const NEARLY_USED = 0.8

/** Presents the usage of a quota. */
export const quotaUse = (name: QuotaUse['name'], used: number, most: number): QuotaUse => ({
  name,
  used,
  most: Number.isFinite(most) ? most : null,
  isNearlyUsed: most > 0 && used >= NEARLY_USED * most,
  setting: SETTINGS[name === 'hiddenGameTypes' ? 'gameTypes' : name].setting,
})
