import type { AlertKind, BoxAlertKind } from '../schema.ts'

/** The numbers that the summary of an alert names. */
export type Figures = Partial<Record<'scores' | 'checkIns' | 'webhooks' | 'used' | 'most' | 'jobs', number>>

type Summaries = Record<AlertKind | BoxAlertKind, (figures: Figures, subject: string) => string>

const counted = (count = 0, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const QUOTAS: Record<string, string> = {
  keys: 'API keys',
  webhooks: 'webhooks',
  gameTypes: 'mini game types',
  hiddenGameTypes: 'hidden mini game types',
  storageBytes: "bytes of players' storage",
}

const summaries: Summaries = {
  reviews_waiting: ({ scores = 0, checkIns = 0 }) => {
    const held = [
      ...(scores > 0 ? [counted(scores, 'score', 'scores')] : []),
      ...(checkIns > 0 ? [counted(checkIns, 'check-in', 'check-ins')] : []),
    ]
    return `${held.join(' and ')} ${scores + checkIns === 1 ? 'waits' : 'wait'} for review`
  },
  webhook_failing: ({ webhooks }) => `Deliveries to ${counted(webhooks, 'webhook', 'webhooks')} fail`,
  webhook_disabled: ({ webhooks }) => `Cairn disabled ${counted(webhooks, 'webhook', 'webhooks')}`,
  quota_near: ({ used, most }, name) => `${used} of ${most} ${QUOTAS[name] ?? name} are used`,
  part_failed: (_, name) => `The part "${name}" fails`,
  disk_low: () => 'The disk of the data folder is nearly full',
  database_disk_low: () => 'The disk of the database is nearly full',
  backup_late: () => 'The scheduled backup is late',
  backup_failed: () => 'The last scheduled backup failed',
  jobs_failed: ({ jobs }, name) => `${counted(jobs, 'job', 'jobs')} of the queue "${name}" failed`,
}

/** The texts of alerts and of the mails about them. */
export const english = {
  summaries,
  box: 'this installation of Cairn',
  app: (name: string) => `the app "${name}"`,
  opened: (what: string) => `An alert about ${what} has opened:`,
  ended: (what: string) => `An alert about ${what} has ended:`,
  openedAt: (time: string) => `Opened: ${time}`,
  endedAt: (time: string) => `Ended:  ${time}`,
  endedSubject: (summary: string) => `Ended: ${summary}`,
  toOperator: 'You receive this because CAIRN_ALERT_EMAILS has your address.',
  toTeam: 'You receive this because an admin of the app entered your address, and can remove it:',
  testSubject: 'Test: alerts arrive here',
  test: (name: string) => `This is a test. Alerts about the app "${name}" are mailed to this address.`,
  testSettings: 'An admin of the app can change that:',
}

export type AlertTexts = typeof english
