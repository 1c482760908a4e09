import type { BackupPlace } from '../../platform/backup/places/place.ts'
import type { Config } from '../../platform/config.ts'
import { dueAt, stateOf } from './schedule.ts'
import type { Backups } from './schema.ts'
import type { BackupState } from './store.ts'

type Context = {
  config: Config
  /** Undefined if backups are off. */
  place: BackupPlace | undefined
  now: number
  /** Start of the process that reports. */
  startedAt: number
}

/** The state of scheduled backups as the health of the service and the doctor report it. */
export function backupsReport(state: BackupState, { config, place, now, startedAt }: Context): Backups {
  const everySeconds = config.CAIRN_BACKUP_EVERY
  const { triedAt, success, failure, isRunning } = state
  const known = {
    place: place?.name ?? null,
    lastSuccess: success && { ...success, at: iso(success.at) },
    lastFailure: failure && { ...failure, at: iso(failure.at) },
    runningSince: isRunning && triedAt !== null ? iso(triedAt) : null,
  }
  if (everySeconds === undefined) return { state: 'off', everySeconds: null, ...known, nextAt: null }
  const everyMs = everySeconds * 1000
  return {
    state: stateOf(state, { everyMs, now, startedAt }),
    everySeconds,
    ...known,
    nextAt: iso(Math.max(now, dueAt(state, everyMs))),
  }
}

const iso = (at: number) => new Date(at).toISOString()
