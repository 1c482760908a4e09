import type { QuotaUse } from '../../platform/schema.ts'
import type { Health } from '../admin/schema.ts'
import type { AlertKind, BoxAlertKind } from './schema.ts'

/** What is wrong now. Of a kind there is at most one for each subject. */
export type Condition = { kind: AlertKind | BoxAlertKind; subject: string; summary: string }

/** What the page of an app says needs attention. */
export type AppState = {
  heldScores: number
  heldCheckIns: number
  failing: number
  disabled: number
  quotas: QuotaUse[]
}

/** Below this multiple of the reserve, at which writes are refused, a disk is nearly full. */
const LOW = 2

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** The conditions of an app that the overview of the console shows. */
export function appConditions({ heldScores, heldCheckIns, failing, disabled, quotas }: AppState): Condition[] {
  const held = [
    heldScores > 0 && counted(heldScores, 'score', 'scores'),
    heldCheckIns > 0 && counted(heldCheckIns, 'check-in', 'check-ins'),
  ].filter((text) => text !== false)
  const waits = heldScores + heldCheckIns === 1 ? 'waits' : 'wait'
  return [
    when(held.length > 0, 'reviews_waiting', `${held.join(' and ')} ${waits} for review`),
    when(failing > 0, 'webhook_failing', `Deliveries to ${counted(failing, 'webhook', 'webhooks')} fail`),
    when(disabled > 0, 'webhook_disabled', `Cairn disabled ${counted(disabled, 'webhook', 'webhooks')}`),
    ...quotas
      .filter(({ isNearlyUsed }) => isNearlyUsed)
      .map(({ name, used, most }) => ({
        kind: 'quota_near' as const,
        subject: name,
        summary: `${used} of ${most} ${QUOTAS[name] ?? name} are used`,
      })),
  ].filter((condition) => condition !== undefined)
}

const QUOTAS: Partial<Record<QuotaUse['name'], string>> = {
  keys: 'API keys',
  webhooks: 'webhooks',
  gameTypes: 'mini game types',
  hiddenGameTypes: 'hidden mini game types',
  storageBytes: "bytes of players' storage",
}

/** The conditions of the installation that the page "Health" shows. */
export function boxConditions({ parts, disk, database, backups, queues }: Health): Condition[] {
  return [
    ...parts
      .filter(({ state }) => state === 'failed')
      .map(({ name }) => ({ kind: 'part_failed' as const, subject: name, summary: `The part "${name}" fails` })),
    when(
      disk !== null && isLow(disk.freeBytes, disk.reserveBytes),
      'disk_low',
      'The disk of the data folder is nearly full',
    ),
    when(
      database.freeBytes !== null && isLow(database.freeBytes, database.reserveBytes),
      'database_disk_low',
      'The disk of the database is nearly full',
    ),
    when(backups.state === 'late', 'backup_late', 'The scheduled backup is late'),
    when(backups.state === 'failed', 'backup_failed', 'The last scheduled backup failed'),
    ...queues
      .filter(({ failed }) => failed > 0)
      .map(({ name, failed }) => ({
        kind: 'jobs_failed' as const,
        subject: name,
        summary: `${counted(failed, 'job', 'jobs')} of the queue "${name}" failed`,
      })),
  ].filter((condition) => condition !== undefined)
}

const isLow = (free: number, reserve: number) => reserve > 0 && free < LOW * reserve

const when = (isThere: boolean, kind: Condition['kind'], summary: string): Condition | undefined =>
  isThere ? { kind, subject: '', summary } : undefined
