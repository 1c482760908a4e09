import type { Translated } from '../../../platform/html/languages.ts'
import { oneLine } from '../../../platform/mail/mailer.ts'
import type { Language } from '../../../platform/schema.ts'
import type { SentAlert, SentEvent } from '../store.ts'
import { type AlertTexts, english } from './english.ts'
import { german } from './german.ts'
import { spanish } from './spanish.ts'

const translated: Translated<AlertTexts> = { en: english, de: german, es: spanish }

/** The subject and text of a mail. */
export type MailText = { subject: string; text: string }

/** The mail about an alert that opened or ended. @param publicUrl the address of the service */
export function alertMail(alert: SentAlert, event: SentEvent, publicUrl: string, language: Language): MailText {
  const { appId, kind, subject, figures, openedAt, endedAt } = alert
  const texts = translated[language]
  const summary = figures ? texts.summaries[kind](figures, subject ?? '') : alert.summary
  const appName = alert.appName === null ? null : oneLine(alert.appName)
  const what = appName === null ? texts.box : texts.app(appName)
  const lines = [
    event === 'opened' ? texts.opened(what) : texts.ended(what),
    '',
    `    ${summary}`,
    '',
    texts.openedAt(written(openedAt)),
    ...(event === 'ended' && endedAt !== null ? [texts.endedAt(written(endedAt))] : []),
    '',
    `${publicUrl}/console/${appId === null ? 'health' : `apps/${appId}`}`,
    '',
    appId === null ? texts.toOperator : `${texts.toTeam}\n${settingsOf(appId, publicUrl)}`,
  ]
  return {
    subject: `[Cairn] ${event === 'opened' ? summary : texts.endedSubject(summary)}${appName === null ? '' : ` – ${appName}`}`,
    text: `${lines.join('\n')}\n`,
  }
}

/** The mail by which an admin of an app checks that alerts arrive. */
export function testMail(appId: string, appName: string, publicUrl: string, language: Language): MailText {
  const texts = translated[language]
  return {
    subject: `[Cairn] ${texts.testSubject} – ${appName}`,
    text: `${texts.test(oneLine(appName))}\n\n${texts.testSettings}\n${settingsOf(appId, publicUrl)}\n`,
  }
}

const settingsOf = (appId: string, publicUrl: string) => `${publicUrl}/console/apps/${appId}/settings`
const written = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`
