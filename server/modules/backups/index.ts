import { type KnownObjects, writeBackup } from '../../platform/backup/backup.ts'
import { placeOf } from '../../platform/backup/places/place-of.ts'
import { keepSecret } from '../../platform/backup/sealed-secret.ts'
import { LOCKS } from '../../platform/database/locks/locks.ts'
import { aloneWith } from '../../platform/database/locks/session-locks.ts'
import type { Platform } from '../../platform/platform.ts'
import { backupsReport } from './report.ts'
import type { Backups } from './schema.ts'
import { backupService } from './service.ts'
import { type BackupState, backupStore } from './store.ts'

type Deps = {
  /** The secret of the service: a backup records which one it was, but not the secret. */
  secret: string
  known: KnownObjects
}

export type BackupsModule = ReturnType<typeof createBackups>

/** How often a process checks whether a backup is due. */
const LOOK_MS = 20_000

/** Scheduled backups. Every process knows their state; those that work on jobs make them, one at a time. */
export function createBackups(platform: Platform, { secret, known }: Deps) {
  const { config, databaseUrl, database, clock, log, metrics, objects } = platform
  const store = backupStore(database.pool)
  const everySeconds = config.CAIRN_BACKUP_EVERY
  const startedAt = Date.now()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let last: BackupState | undefined

  const place = everySeconds === undefined ? undefined : placeOf(config)
  const everyMs = (everySeconds ?? 0) * 1000
  const service =
    place &&
    backupService({
      store,
      place,
      everyMs,
      keep: { count: config.CAIRN_BACKUP_KEEP, days: config.CAIRN_BACKUP_KEEP_DAYS },
      alone: aloneWith(databaseUrl, 'cairn-scheduled-backup', LOCKS.scheduledBackup),
      write: (to, signal) =>
        writeBackup({
          databaseUrl,
          objects,
          known,
          secret: keepSecret(secret, undefined),
          to,
          onProgress: () => {},
          signal,
        }),
      clock,
      log,
    })

  async function look(): Promise<void> {
    if (config.CAIRN_ROLE !== 'api') await service?.look()
    last = await store.read()
  }

  function next(): void {
    if (isStopped) return
    timer = setTimeout(async () => {
      await look().catch((error) => log.error({ err: error }, 'failed to check whether a backup is due'))
      next()
    }, LOOK_MS).unref()
  }

  if (service) {
    const seconds = (at: number | undefined) => (at ?? 0) / 1000
    metrics.gauge(
      'cairn_backup_last_success_timestamp_seconds',
      'When the last scheduled backup was complete and verified, as a Unix time; 0 without one',
      () => seconds(last?.success?.at),
    )
    metrics.gauge(
      'cairn_backup_last_failure_timestamp_seconds',
      'When a scheduled backup last failed, as a Unix time; 0 without a failure',
      () => seconds(last?.failure?.at),
    )
    metrics.gauge('cairn_backup_bytes', 'Size of the last scheduled backup', () => last?.success?.bytes ?? 0)
  }

  return {
    /** Makes a backup now, if one is due. */
    look,

    /** Checks from now on whether a backup is due. */
    start(): void {
      if (!service) return
      store.read().then(
        (state) => {
          last = state
        },
        () => {},
      )
      next()
    },

    /** Interrupts a running backup. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await service?.stop()
    },

    /** The state of scheduled backups, for the health of the service. */
    state: async (): Promise<Backups> =>
      backupsReport(await store.read(), { config, place, now: clock.now(), startedAt }),
  }
}
