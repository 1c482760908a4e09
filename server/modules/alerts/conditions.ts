import type { QuotaUse } from '../../platform/schema.ts'
import type { Health } from '../admin/schema.ts'
import type { AlertKind, BoxAlertKind } from './schema.ts'
import { english, type Figures } from './texts/english.ts'

/** What is wrong now. Of a kind there is at most one for each subject. @property summary in English */
export type Condition = { kind: AlertKind | BoxAlertKind; subject: string; figures: Figures; summary: string }

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

/** The conditions of an app that the overview of the console shows. */
export function appConditions({ heldScores, heldCheckIns, failing, disabled, quotas }: AppState): Condition[] {
  const held = { scores: heldScores, checkIns: heldCheckIns }
  return [
    ...when(heldScores + heldCheckIns > 0, 'reviews_waiting', held),
    ...when(failing > 0, 'webhook_failing', { webhooks: failing }),
    ...when(disabled > 0, 'webhook_disabled', { webhooks: disabled }),
    ...quotas.flatMap(({ name, used, most, isNearlyUsed }) =>
      isNearlyUsed && most !== null ? [condition('quota_near', { used, most }, name)] : [],
    ),
  ]
}

/** The conditions of the installation that the page "Health" shows. */
export function boxConditions({ parts, disk, database, backups, queues }: Health): Condition[] {
  const isDatabaseLow = database.freeBytes !== null && isLow(database.freeBytes, database.reserveBytes)
  return [
    ...parts.filter(({ state }) => state === 'failed').map(({ name }) => condition('part_failed', {}, name)),
    ...when(disk !== null && isLow(disk.freeBytes, disk.reserveBytes), 'disk_low'),
    ...when(isDatabaseLow, 'database_disk_low'),
    ...when(backups.state === 'late', 'backup_late'),
    ...when(backups.state === 'failed', 'backup_failed'),
    ...queues
      .filter(({ failed }) => failed > 0)
      .map(({ name, failed }) => condition('jobs_failed', { jobs: failed }, name)),
  ]
}

const isLow = (free: number, reserve: number) => reserve > 0 && free < LOW * reserve

const condition = (kind: Condition['kind'], figures: Figures, subject = ''): Condition => ({
  kind,
  subject,
  figures,
  summary: english.summaries[kind](figures, subject),
})

const when = (isThere: boolean, kind: Condition['kind'], figures: Figures = {}): Condition[] =>
  isThere ? [condition(kind, figures)] : []
