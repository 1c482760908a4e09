import type { Config } from '../../platform/config.ts'
import type { Limit } from './schema.ts'

/** The settings that limit something. */
type Bound =
  | Extract<keyof Config, `CAIRN_LIMIT_${string}` | `CAIRN_QUOTA_${string}` | `${string}_BYTES` | `${string}_SECONDS`>
  | 'CAIRN_UPLOAD_MAX_FILES'
  | 'CAIRN_APRIL_TAG_METRES'
  | 'CAIRN_WEBHOOK_CONCURRENCY'
  | 'CAIRN_WEBHOOK_RATE'
  | 'CAIRN_WEBHOOK_LOG_DAYS'
  | 'CAIRN_WEBHOOK_LOG_ROWS'
  | 'CAIRN_WEBHOOK_PENDING'
  | 'CAIRN_WEBHOOK_APP_PENDING'
  | 'CAIRN_WEBHOOK_ALL_PENDING'
  | 'CAIRN_CODE_RISK'

/** Name, unit and description of each; a missing one does not compile. */
const BOUNDS: Record<Bound, [name: string, unit: string, description: string]> = {
  CAIRN_LIMIT_KEY_PER_MINUTE: [
    'Requests with an app key',
    'requests a minute',
    'Per app; each additional key has its own',
  ],
  CAIRN_LIMIT_PLAYER_PER_MINUTE: ['Requests of a player', 'requests a minute', 'Per player, with player tokens'],
  CAIRN_LIMIT_USER_PER_MINUTE: ['Requests of a user', 'requests a minute', 'Per user, in all sessions together'],
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: [
    'Requests from an address',
    'requests a minute',
    'Per address without a valid credential, or with a client key alone (for IPv6, per /64)',
  ],
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: ['Failed sign-ins', 'exchanges a minute', 'Per address'],
  CAIRN_LIMIT_UPLOADS_PER_HOUR: [
    'Uploads',
    'uploads an hour',
    'Per address without a valid credential; a user or an app can make ten times as many',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: [
    'Upload bytes',
    'bytes an hour',
    'Per address without a valid credential; a user or an app can send ten times as many',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: [
    'Upload bytes of all clients',
    'bytes a day',
    'All clients together, per UTC day; beyond it, uploads return 507',
  ],
  CAIRN_DISK_RESERVE_BYTES: [
    'Disk reserve',
    'bytes',
    'Free space on the disk of the data folder; below it, uploads return 507',
  ],
  CAIRN_DATABASE_RESERVE_BYTES: [
    'Disk reserve of the database',
    'bytes',
    'Free space on the disk of the database; below it, writes return 507',
  ],
  CAIRN_QUOTA_APPS: ['Apps of a user', 'apps', 'Beyond it, 409; unlimited for ops'],
  CAIRN_QUOTA_KEYS: ['Keys of an app', 'keys', 'Working keys, including those in their grace period; beyond it, 409'],
  CAIRN_QUOTA_WEBHOOKS: ['Webhooks of an app', 'webhooks', 'Beyond it, 409'],
  CAIRN_QUOTA_FENCES: ['Fences of an app', 'fences', 'Beyond it, 409'],
  CAIRN_QUOTA_SEASONS: ['Seasons of an app', 'seasons', 'Ended ones included; beyond it, 409'],
  CAIRN_QUOTA_HELD_SCORES: ['Held scores of an app', 'scores', 'Reviewed ones make room; beyond it, 409'],
  CAIRN_QUOTA_GAME_TYPES: ['Mini game types of an app', 'types', 'And as many hidden ones; beyond it, 409'],
  CAIRN_QUOTA_ZONES: ['Zones of a user', 'zones', 'Beyond it, 409; unlimited for ops'],
  CAIRN_QUOTA_ZONE_POSITIONS: ['Positions of a user’s zones', 'positions', 'All boundaries together; beyond it, 409'],
  CAIRN_QUOTA_IMPORTS: ['Imports of a user', 'imports', 'Waiting or running; beyond it, 429'],
  CAIRN_QUOTA_PLAYER_KEYS: ['Storage keys of a player', 'keys', 'Each up to 64 KiB; beyond it, 409'],
  CAIRN_QUOTA_STORAGE_BYTES: ['Player storage of an app', 'bytes', 'All players together; beyond it, 409'],
  CAIRN_UPLOAD_MAX_BYTES: ['Largest file', 'bytes', 'An upload, or a model to convert'],
  CAIRN_UPLOAD_MAX_FILES: ['Files in one upload', 'files', 'In one form'],
  CAIRN_RESUMABLE_MAX_BYTES: [
    'Largest resumable file',
    'bytes',
    'With a session or an app key; without one, the largest file applies',
  ],
  CAIRN_CONVERT_SECONDS: ['Conversion time', 'seconds', 'After it, the conversion fails'],
  CAIRN_SLOW_BODY_SECONDS: [
    'Slow senders',
    'seconds',
    'Time over which a client must send at least 1 KiB per second on average, and over twice which it must receive that much',
  ],
  CAIRN_DRAIN_SECONDS: ['Draining', 'seconds', 'How long the process accepts requests after the signal to stop'],
  CAIRN_APRIL_TAG_METRES: [
    'Distance of equal AprilTags',
    'metres',
    'Two ground control points closer than this cannot have the same tag',
  ],
  CAIRN_FENCE_BYTES: ['Memory of the fences', 'bytes', 'Beyond it, those not used for longest are loaded again'],
  CAIRN_RANK_BYTES: ['Memory of the rank indexes', 'bytes', 'Beyond it, ranks come from the database'],
  CAIRN_PIN_INDEX_BYTES: [
    'Pin index',
    'bytes',
    'Memory in each process; if the pins do not fit, searches use the database',
  ],
  CAIRN_PIN_ANSWER_BYTES: ['Pin records', 'bytes', 'Memory in each process for recently read pins'],
  CAIRN_TILE_BYTES: [
    'Points of vector tiles',
    'bytes',
    'Memory in each process for the points of one collection; tiles of a collection that does not fit return 503',
  ],
  CAIRN_CODE_SECONDS: ['Lifetime of a six-digit code', 'seconds', 'After it, the code is EXPIRED'],
  CAIRN_CODE_RISK: [
    'Risk of a guessed code',
    'probability per day',
    'Accepted in one code space; it determines how many wrong codes are allowed',
  ],
  CAIRN_SCORE_HOOK_SECONDS: [
    'Time of a score hook',
    'seconds',
    'Without a usable response, the hook decides by its `onFailure`',
  ],
  CAIRN_WEBHOOK_RETRY_SECONDS: [
    'First retry delay of a webhook',
    'seconds',
    'After a failed delivery; each further delay is four times as long',
  ],
  CAIRN_WEBHOOK_CONCURRENCY: ['Concurrent deliveries', 'deliveries', 'To one webhook, from one process'],
  CAIRN_WEBHOOK_RATE: ['Deliveries', 'deliveries a second', 'To one webhook, from one process'],
  CAIRN_WEBHOOK_LOG_DAYS: [
    'Retention of deliveries',
    'days',
    'For the delivery log, and for pending deliveries of a disabled webhook',
  ],
  CAIRN_WEBHOOK_LOG_ROWS: ['Rows of a delivery log', 'deliveries', 'Per webhook; the oldest are deleted first'],
  CAIRN_WEBHOOK_PENDING: [
    'Pending deliveries of a webhook',
    'deliveries',
    'Beyond it, the webhook is disabled and they are deleted',
  ],
  CAIRN_WEBHOOK_PENDING_BYTES: ['Pending bytes of a webhook', 'bytes', 'Beyond it, the webhook is disabled'],
  CAIRN_WEBHOOK_APP_PENDING: [
    'Pending deliveries of an app',
    'deliveries',
    'Beyond it, the app’s webhooks with the most are disabled',
  ],
  CAIRN_WEBHOOK_APP_PENDING_BYTES: [
    'Pending bytes of an app',
    'bytes',
    'Beyond it, the app’s webhooks with the most are disabled',
  ],
  CAIRN_WEBHOOK_ALL_PENDING: [
    'Pending deliveries of all webhooks',
    'deliveries',
    'Beyond it, webhooks of the owner with the most are disabled',
  ],
  CAIRN_WEBHOOK_ALL_PENDING_BYTES: [
    'Pending bytes of all webhooks',
    'bytes',
    'Beyond it, webhooks of the owner with the most are disabled',
  ],
}

/** The limits and sizes in effect. */
export const limitsOf = (config: Config): Limit[] =>
  Object.entries(BOUNDS).map(([setting, [name, unit, description]]) => ({
    name,
    setting,
    value: config[setting as Bound],
    unit,
    description,
  }))
