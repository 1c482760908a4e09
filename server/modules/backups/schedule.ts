import type { Backups } from './schema.ts'
import type { BackupState } from './store.ts'

/** A failed backup is retried after a quarter of the interval, but within an hour. */
const RETRY_PART = 4
const MAX_RETRY_MS = 3_600_000
/** With an older success, backups are late. */
const LATE_AFTER = 2

/** When the next backup is due, in milliseconds since 1970; 0 without an attempt, or if the last one was interrupted. */
export function dueAt({ triedAt, success }: Pick<BackupState, 'triedAt' | 'success'>, everyMs: number): number {
  if (triedAt === null) return 0
  const succeeded = success !== null && success.at >= triedAt
  return triedAt + (succeeded ? everyMs : Math.min(everyMs / RETRY_PART, MAX_RETRY_MS))
}

type Scheduled = { everyMs: number; now: number; startedAt: number }

/** @param startedAt start of this process: without any success, two intervals are counted from there */
export function stateOf({ success, failure }: BackupState, { everyMs, now, startedAt }: Scheduled): Backups['state'] {
  if (now - (success?.at ?? startedAt) > LATE_AFTER * everyMs) return 'late'
  if (failure !== null && failure.at > (success?.at ?? 0)) return 'failed'
  return success === null ? 'pending' : 'ok'
}

type Dated = { at: number }

/**
 * The backups to delete: all but the newest `count`, and those older than `days`. The newest one always stays.
 * @param backups newest first
 */
export function outdated<T extends Dated>(
  backups: T[],
  { count, days, now }: { count: number; days: number | undefined; now: number },
): T[] {
  const oldest = days === undefined ? Number.NEGATIVE_INFINITY : now - days * 86_400_000
  return backups.filter(({ at }, index) => index > 0 && (index >= count || at < oldest))
}
