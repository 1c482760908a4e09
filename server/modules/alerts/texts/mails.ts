import { oneLine } from '../../platform/mail/mailer.ts'
import type { SentAlert, SentEvent } from './store.ts'

/** The subject and text of a mail. */
export type MailText = { subject: string; text: string }

/** The mail about an alert that opened or ended. @param publicUrl the address of the service */
export function alertMail(alert: SentAlert, event: SentEvent, publicUrl: string): MailText {
  const { appId, summary, openedAt, endedAt } = alert
  const appName = alert.appName === null ? null : oneLine(alert.appName)
  const what = appId === null ? 'this installation of Cairn' : `the app "${appName}"`
  const lines = [
    event === 'opened' ? `An alert about ${what} has opened:` : `An alert about ${what} has ended:`,
    '',
    `    ${summary}`,
    '',
    `Opened: ${written(openedAt)}`,
    ...(event === 'ended' && endedAt !== null ? [`Ended:  ${written(endedAt)}`] : []),
    '',
    `${publicUrl}/console/${appId === null ? 'health' : `apps/${appId}`}`,
    '',
    appId === null
      ? 'You receive this because CAIRN_ALERT_EMAILS has your address.'
      : `You receive this because an admin of the app entered your address, and can remove it:\n${settingsOf(appId, publicUrl)}`,
  ]
  return {
    subject: `[Cairn] ${event === 'opened' ? '' : 'Ended: '}${summary}${appName === null ? '' : ` – ${appName}`}`,
    text: `${lines.join('\n')}\n`,
  }
}

/** The mail by which an admin of an app checks that alerts arrive. */
export const testMail = (appId: string, appName: string, publicUrl: string): MailText => ({
  subject: `[Cairn] Test: alerts arrive here – ${appName}`,
  text: `This is a test. Alerts about the app "${oneLine(appName)}" are mailed to this address.\n\nAn admin of the app can change that:\n${settingsOf(appId, publicUrl)}\n`,
})

const settingsOf = (appId: string, publicUrl: string) => `${publicUrl}/console/apps/${appId}/settings`
const written = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`
