import type { Config } from '../../platform/config.ts'
import type { Limit } from './schema.ts'

/** The settings that say how much there may be of something. */
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

/** Name, unit and description of each; one that is missing does not compile. */
const BOUNDS: Record<Bound, [name: string, unit: string, description: string]> = {
  CAIRN_LIMIT_KEY_PER_MINUTE: ['Requests with an app key', 'requests a minute', 'Of one app, with any of its keys'],
  CAIRN_LIMIT_USER_PER_MINUTE: ['Requests of a user', 'requests a minute', 'Of one user, in all sessions'],
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: [
    'Requests of an address',
    'requests a minute',
    'Of one address without a good credential; of IPv6 a /64',
  ],
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: ['Failed sign-ins', 'exchanges a minute', 'Of one address'],
  CAIRN_LIMIT_UPLOADS_PER_HOUR: [
    'Uploads',
    'uploads an hour',
    'Of one address without a good credential; a user or an app may make ten times as many',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: [
    'Bytes of uploads',
    'bytes an hour',
    'Of one address without a good credential; a user or an app may send ten times as many',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: [
    'Bytes of all uploads',
    'bytes a day',
    'Of all together, by days in UTC; beyond them uploads are 507',
  ],
  CAIRN_DISK_RESERVE_BYTES: [
    'Disk reserve',
    'bytes',
    'Left free on the disk of the data folder; below it uploads are 507',
  ],
  CAIRN_DATABASE_RESERVE_BYTES: [
    'Disk reserve of the database',
    'bytes',
    'Left free on the disk of the database; below it writes are 507',
  ],
  CAIRN_QUOTA_APPS: ['Apps of a user', 'apps', 'Ops may own any number; beyond it 409'],
  CAIRN_QUOTA_KEYS: ['Keys of an app', 'keys', 'That work at a time, those in their grace included; beyond it 409'],
  CAIRN_QUOTA_WEBHOOKS: ['Webhooks of an app', 'webhooks', 'Beyond it 409'],
  CAIRN_QUOTA_GAME_TYPES: ['Mini game types of an app', 'types', 'And as many hidden ones; beyond it 409'],
  CAIRN_QUOTA_ZONES: ['Zones of a user', 'zones', 'Ops may own any number; beyond it 409'],
  CAIRN_QUOTA_ZONE_POSITIONS: ['Positions of a user’s zones', 'positions', 'Of all boundaries together; beyond it 409'],
  CAIRN_QUOTA_IMPORTS: ['Imports of a user', 'imports', 'That wait or run; beyond it 429'],
  CAIRN_UPLOAD_MAX_BYTES: ['Largest file', 'bytes', 'Of an upload, and of a model that is converted'],
  CAIRN_UPLOAD_MAX_FILES: ['Files in one upload', 'files', 'In one form'],
  CAIRN_RESUMABLE_MAX_BYTES: [
    'Largest resumable file',
    'bytes',
    'With a session or an app key; without one as for any upload',
  ],
  CAIRN_CONVERT_SECONDS: ['Time of a conversion', 'seconds', 'After it the model is told to be too slow'],
  CAIRN_SLOW_BODY_SECONDS: [
    'Slow senders',
    'seconds',
    'Over which a body must come at 1 KiB a second; an answer must be taken so over twice the time',
  ],
  CAIRN_DRAIN_SECONDS: ['Draining', 'seconds', 'How long requests are still taken after the process was told to stop'],
  CAIRN_APRIL_TAG_METRES: [
    'Distance of equal April tags',
    'metres',
    'Two ground control points closer than this may not carry the same tag',
  ],
  CAIRN_PIN_INDEX_BYTES: [
    'Index of pins',
    'bytes',
    'Memory for it in each process; with more pins the database is asked',
  ],
  CAIRN_PIN_ANSWER_BYTES: ['Records of pins', 'bytes', 'Memory in each process for those that were looked at last'],
  CAIRN_CODE_SECONDS: ['Life of a six-digit code', 'seconds', 'After it the code is refused'],
  CAIRN_CODE_RISK: [
    'Risk of a guessed code',
    'chance a day',
    'Accepted in one space; it sets how many wrong codes are allowed',
  ],
  CAIRN_WEBHOOK_RETRY_SECONDS: [
    'First wait of a webhook',
    'seconds',
    'After a delivery failed; each further one is four times as long',
  ],
  CAIRN_WEBHOOK_CONCURRENCY: ['Deliveries at once', 'deliveries', 'To one webhook, from one process'],
  CAIRN_WEBHOOK_RATE: ['Deliveries', 'deliveries a second', 'To one webhook, from one process'],
  CAIRN_WEBHOOK_LOG_DAYS: ['Log of deliveries', 'days', 'That it is kept, and what waits for a disabled webhook'],
  CAIRN_WEBHOOK_LOG_ROWS: ['Rows of a log of deliveries', 'deliveries', 'Of one webhook; the oldest go first'],
  CAIRN_WEBHOOK_PENDING: ['Waiting for a webhook', 'deliveries', 'With more it is disabled, and they are removed'],
  CAIRN_WEBHOOK_PENDING_BYTES: ['Bytes that wait for a webhook', 'bytes', 'With more it is disabled'],
  CAIRN_WEBHOOK_APP_PENDING: [
    'Waiting for the webhooks of an app',
    'deliveries',
    'With more those of its webhooks that have most are disabled',
  ],
  CAIRN_WEBHOOK_APP_PENDING_BYTES: [
    'Bytes that wait for an app',
    'bytes',
    'With more those of its webhooks that have most are disabled',
  ],
  CAIRN_WEBHOOK_ALL_PENDING: [
    'Waiting for all webhooks',
    'deliveries',
    'With more the webhooks of the owner with most are disabled',
  ],
  CAIRN_WEBHOOK_ALL_PENDING_BYTES: [
    'Bytes that wait for all webhooks',
    'bytes',
    'With more the webhooks of the owner with most are disabled',
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
