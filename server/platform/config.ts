import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { incompleteMail, mailAddress, mailServer, signingSecret } from './mail/mail-settings.ts'
import { isHostRule, isInsideRule } from './outbound/allowed-hosts.ts'
import { Language } from './schema.ts'

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
const bounded = (number: z.ZodNumber, min: number, max: number) =>
  number.min(min, `must be at least ${min}`).max(max, `must be at most ${max}`)
/** A number that may have decimals. */
const decimal = (min: number, max: number) => bounded(z.coerce.number('must be a number'), min, max)
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(bounded(z.number(), min, max))
const quota = (usual: string) => whole(1, 1e9).prefault(usual)
const perMinute = (usual: string) => whole(1, 1e9).prefault(usual)
const UNITS = { m: 60, h: 3600, d: 86_400 }
/** A duration such as `90m`, `6h` or `1d`, in seconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, 'must be a number of minutes, hours or days, such as 90m, 6h or 1d')
  .transform((text) => Number.parseInt(text, 10) * UNITS[text.at(-1) as keyof typeof UNITS])
  .pipe(z.number().max(366 * 86_400, 'must be a year at most'))
const webAddress = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#@]/.test(url), 'must be a URL without user name, password, query and fragment')
  .transform((url) => url.replace(/\/$/, ''))

const isOrigin = (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
const isProxy = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  return (
    isIP(address) > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
  )
}

/** Whether the host of a URL is this machine. */
export const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Whether responses from a URL can be trusted: https, or http on this machine. */
export function isTrustworthy(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
const identityAddress = z
  .url({ protocol: /^https?$/ })
  .refine(isTrustworthy, 'must be an https URL, or http on a loopback address')

const Issuer = z.strictObject({
  issuer: identityAddress,
  audience: z.string().min(1),
  jwksUri: identityAddress.optional(),
  rolesClaim: z.string().min(1).default('roles'),
  trustRoles: z.boolean().default(true),
})
export type IssuerConfig = z.infer<typeof Issuer>

const issuers = z.string().transform((text, context) => {
  try {
    return z.array(Issuer).parse(JSON.parse(text))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : 'it is not JSON'
    context.addIssue({
      code: 'custom',
      message: `needs a JSON list of {issuer, audience, jwksUri?, rolesClaim?, trustRoles?}: ${why}`,
    })
    return z.NEVER
  }
})

/** All settings, by environment variable. docs/operations.md describes them. */
const Settings = z.object({
  CAIRN_HOST: z.string().min(1).default('127.0.0.1'),
  CAIRN_PORT: whole(0, 65535).prefault('8080'),
  CAIRN_ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  CAIRN_PROCESSES: z
    .string()
    .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto, or a number of processes from 1 to 64')
    .default('1')
    .transform((text) => (text === 'auto' ? ('auto' as const) : Number(text))),
  CAIRN_PUBLIC_URL: webAddress.optional(),
  CAIRN_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  CAIRN_GRIDS: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  CAIRN_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CAIRN_DATABASE_FOLDER: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  CAIRN_DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CAIRN_REDIS_URL: list.pipe(z.array(z.url({ protocol: /^rediss?$/ })).min(1)).optional(),
  CAIRN_DRAIN_SECONDS: decimal(0, 300).default(1),
  CAIRN_S3_ENDPOINT: webAddress.optional(),
  CAIRN_S3_PUBLIC_ENDPOINT: webAddress.optional(),
  CAIRN_S3_REGION: z.string().min(1).default('us-east-1'),
  CAIRN_S3_BUCKET: z.string().min(3).optional(),
  CAIRN_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  CAIRN_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  CAIRN_BACKUP_EVERY: duration.optional(),
  CAIRN_BACKUP_KEEP: whole(1, 100_000).prefault('7'),
  CAIRN_BACKUP_KEEP_DAYS: whole(1, 36_500).optional(),
  CAIRN_BACKUP_DIR: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  CAIRN_BACKUP_S3_ENDPOINT: webAddress.optional(),
  CAIRN_BACKUP_S3_REGION: z.string().min(1).default('us-east-1'),
  CAIRN_BACKUP_S3_BUCKET: z.string().min(3).optional(),
  CAIRN_BACKUP_S3_PREFIX: z
    .string()
    .regex(
      /^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/,
      'must be a path such as cairn/backups, of letters, digits, ".", "_" and "-"',
    )
    .transform((path) => path.replace(/\/$/, ''))
    .optional(),
  CAIRN_BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  CAIRN_BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  CAIRN_OIDC: issuers.default([]),
  CAIRN_BOX_ISSUER: z.enum(['on', 'off']).optional(),
  CAIRN_ADMIN_EMAILS: list.default([]),
  CAIRN_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  CAIRN_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  CAIRN_CORS_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), 'needs origins such as https://game.example, or *')
    .default([]),
  CAIRN_TRUSTED_PROXIES: list
    .refine((proxies) => proxies.every(isProxy), 'needs addresses or ranges such as 10.0.0.0/8, or loopback')
    .default([]),
  CAIRN_OPEN_WRITES: z
    .enum(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true'),
  CAIRN_IMPORT_HOSTS: list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine(
      (hosts) => hosts.every(isHostRule),
      'needs names of hosts such as files.example.org or *.example.org, without https://',
    )
    .default([]),
  CAIRN_WEBHOOK_HOSTS: list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine(
      (hosts) => hosts.every(isInsideRule),
      'needs names or addresses of hosts such as games.internal:8080, *.example.org or 10.0.0.5, without http://',
    )
    .default([]),
  CAIRN_SCORE_HOOK_SECONDS: decimal(0.1, 60).default(2),
  CAIRN_WEBHOOK_RETRY_SECONDS: decimal(0.01, 3600).default(5),
  CAIRN_WEBHOOK_CONCURRENCY: whole(1, 100).prefault('10'),
  CAIRN_WEBHOOK_RATE: whole(1, 10_000).prefault('500'),
  CAIRN_WEBHOOK_LOG_DAYS: whole(1, 3650).prefault('30'),
  CAIRN_WEBHOOK_LOG_ROWS: whole(1, 1e9).prefault('100000'),
  CAIRN_WEBHOOK_PENDING: whole(1, 1e9).prefault('25000'),
  CAIRN_WEBHOOK_PENDING_BYTES: whole(1, 2 ** 50).prefault(String(32 * 2 ** 20)),
  CAIRN_WEBHOOK_APP_PENDING: whole(1, 1e9).prefault('50000'),
  CAIRN_WEBHOOK_APP_PENDING_BYTES: whole(1, 2 ** 50).prefault(String(64 * 2 ** 20)),
  CAIRN_WEBHOOK_ALL_PENDING: whole(1, 1e9).prefault('500000'),
  CAIRN_WEBHOOK_ALL_PENDING_BYTES: whole(1, 2 ** 50).prefault(String(512 * 2 ** 20)),
  CAIRN_SMTP_URL: mailServer.optional(),
  CAIRN_SMTP_FROM: mailAddress.optional(),
  CAIRN_ALERT_EMAILS: list.pipe(z.array(mailAddress).max(10, 'can have at most 10 addresses')).default([]),
  CAIRN_ALERT_LANGUAGE: Language.default('en'),
  CAIRN_ALERT_URL: webAddress.optional(),
  CAIRN_ALERT_SECRET: signingSecret.optional(),
  CAIRN_WEATHER_URL: webAddress.optional(),
  CAIRN_BASEMAP: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  CAIRN_MAP_STYLE_URL: z.url({ protocol: /^https?$/ }).optional(),
  CAIRN_MAP_HOSTS: list
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://tiles.example')
    .default([]),
  CAIRN_METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  CAIRN_LIMIT_KEY_PER_MINUTE: perMinute('6000'),
  CAIRN_LIMIT_PLAYER_PER_MINUTE: perMinute('600'),
  CAIRN_LIMIT_USER_PER_MINUTE: perMinute('3000'),
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: perMinute('600'),
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: perMinute('60'),
  CAIRN_LIMIT_UPLOADS_PER_HOUR: whole(1, 1e9).prefault('60'),
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: whole(1, 2 ** 50).prefault(String(2 * 2 ** 30)),
  CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: whole(1, 2 ** 52).prefault(String(200 * 2 ** 30)),
  CAIRN_DISK_RESERVE_BYTES: whole(0, 2 ** 50).prefault(String(2 ** 30)),
  CAIRN_DATABASE_RESERVE_BYTES: whole(0, 2 ** 50).prefault(String(512 * 2 ** 20)),
  CAIRN_QUOTA_APPS: quota('100'),
  CAIRN_QUOTA_KEYS: quota('20'),
  CAIRN_QUOTA_WEBHOOKS: quota('20'),
  CAIRN_QUOTA_GAME_TYPES: quota('1000'),
  CAIRN_QUOTA_SEASONS: quota('1000'),
  CAIRN_QUOTA_FENCES: quota('10000'),
  CAIRN_QUOTA_HELD_SCORES: quota('10000'),
  CAIRN_QUOTA_ZONES: quota('1000'),
  CAIRN_QUOTA_ZONE_POSITIONS: quota('200000'),
  CAIRN_QUOTA_IMPORTS: quota('20'),
  CAIRN_QUOTA_PLAYER_KEYS: quota('100'),
  CAIRN_QUOTA_STORAGE_BYTES: whole(1, 2 ** 50).prefault(String(2 ** 30)),
  CAIRN_SLOW_BODY_SECONDS: whole(1, 3600).prefault('30'),
  CAIRN_UPLOAD_MAX_BYTES: whole(1, 2 ** 40).prefault(String(200 * 2 ** 20)),
  CAIRN_UPLOAD_MAX_FILES: whole(1, 1000).prefault('20'),
  CAIRN_RESUMABLE_MAX_BYTES: whole(1, 2 ** 40).prefault(String(2 * 2 ** 30)),
  CAIRN_CONVERT_SECONDS: whole(1, 3600).prefault('120'),
  CAIRN_APRIL_TAG_METRES: decimal(0, 100_000).default(100),
  CAIRN_RANK_BYTES: whole(1, 2 ** 40).prefault(String(512 * 2 ** 20)),
  CAIRN_FENCE_BYTES: whole(1, 2 ** 40).prefault(String(128 * 2 ** 20)),
  CAIRN_PIN_INDEX_BYTES: whole(0, 2 ** 40).prefault(String(512 * 2 ** 20)),
  CAIRN_PIN_ANSWER_BYTES: whole(0, 2 ** 35).prefault(String(256 * 2 ** 20)),
  CAIRN_TILE_BYTES: whole(1, 2 ** 40).prefault(String(256 * 2 ** 20)),
  CAIRN_SESSION_DAYS: whole(1, 3650).prefault('90'),
  CAIRN_CODE_SECONDS: whole(60, 900).prefault('300'),
  CAIRN_CODE_RISK: decimal(0.0001, 0.5).default(0.01),
})
export type Config = z.infer<typeof Settings>

/**
 * Variables that orchestrators set by themselves, for example for a service called "cairn", and those of the tour and
 * the tests.
 */
const IGNORED = /^CAIRN_(SERVICE|PORT|TEST|TOUR)_/

/**
 * Reads the environment and then `.env` in the current folder, once. @throws an Error that lists every wrong setting,
 * with the nearest known name for an unknown one
 */
export function readConfig(environment: Record<string, string | undefined>, envFile = '.env'): Config {
  const all = { ...(existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}), ...environment }
  const given = Object.fromEntries(Object.entries(all).filter(isGiven))
  const known = Object.keys(Settings.shape)
  const complaints = Object.keys(given)
    .filter((name) => !known.includes(name) && !IGNORED.test(name))
    .map((name) => `${name} is not a setting of Cairn; the nearest is ${nearest(name, known)}`)
  const parsed = Settings.safeParse(given)
  complaints.push(...incompleteS3(given, 'CAIRN_S3_', 'files on S3 need'))
  complaints.push(...incompleteS3(given, 'CAIRN_BACKUP_S3_', 'backups on S3 need'))
  if ('CAIRN_BACKUP_DIR' in given && 'CAIRN_BACKUP_S3_BUCKET' in given)
    complaints.push('CAIRN_BACKUP_DIR and CAIRN_BACKUP_S3_BUCKET are both set: backups are written to one of them')
  const isReplicated = 'CAIRN_DATABASE_REPLICA_URL' in given && !('CAIRN_REDIS_URL' in given)
  if (isReplicated && given.CAIRN_ROLE !== 'worker' && (given.CAIRN_PROCESSES ?? '1') !== '1')
    complaints.push(
      'CAIRN_PROCESSES with CAIRN_DATABASE_REPLICA_URL needs CAIRN_REDIS_URL: in Redis, the processes share who has written what',
    )
  complaints.push(...incompleteMail(given))
  for (const issue of parsed.error?.issues ?? []) complaints.push(`${issue.path.join('.')}: ${issue.message}`)
  if (!parsed.success || complaints.length > 0)
    throw new Error(`The configuration is wrong:\n  ${complaints.join('\n  ')}`)
  return parsed.data
}

/** Incomplete settings of S3 would silently put files or backups in the wrong place. */
function incompleteS3(given: Record<string, unknown>, prefix: string, whoNeeds: string): string[] {
  const named = Object.keys(given).filter((name) => name.startsWith(prefix) && name !== `${prefix}REGION`)
  const missing = ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']
    .map((name) => prefix + name)
    .filter((name) => !(name in given))
  return named.length > 0 ? missing.map((name) => `${name} is missing: ${whoNeeds} it beside ${named[0]}`) : []
}

/**
 * For a service called "cairn", orchestrators set CAIRN_PORT to a URL such as tcp://10.0.0.1:8080, which is not a
 * setting.
 */
const isGiven = ([name, value]: [string, string | undefined]) =>
  name.startsWith('CAIRN_') &&
  value !== undefined &&
  value !== '' &&
  !(name === 'CAIRN_PORT' && value.startsWith('tcp://'))

const nearest = (name: string, known: string[]) => known.toSorted((a, b) => distance(name, a) - distance(name, b))[0]
