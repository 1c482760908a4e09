import { z } from 'zod'
import { Language, timestamp } from '../../platform/schema.ts'

/** Addresses that an app's alerts can be mailed to. */
export const MAX_ADDRESSES = 10

/** The alerts of an app. */
export const AlertKind = z
  .enum(['reviews_waiting', 'webhook_failing', 'webhook_disabled', 'quota_near'])
  .meta({ id: 'AlertKind' })
export type AlertKind = z.infer<typeof AlertKind>

/** The alerts of the installation. */
export const BoxAlertKind = z
  .enum(['part_failed', 'disk_low', 'database_disk_low', 'backup_late', 'backup_failed', 'jobs_failed'])
  .meta({ id: 'BoxAlertKind' })
export type BoxAlertKind = z.infer<typeof BoxAlertKind>

const alert = <Kind extends z.ZodType>(kind: Kind, subject: string) =>
  z.object({
    id: z.uuid(),
    kind,
    subject: z.string().nullable().describe(subject),
    summary: z
      .string()
      .describe('One line in English, as it was when the alert opened')
      .meta({ example: '3 scores wait for review' }),
    openedAt: timestamp,
    endedAt: timestamp.nullable().describe('`null` while the alert is open'),
  })

export const Alert = alert(AlertKind, 'For `quota_near`, the name of the quota; otherwise `null`').meta({ id: 'Alert' })
export type Alert = z.infer<typeof Alert>

/** An alert of the installation. */
export const BoxAlert = alert(
  BoxAlertKind,
  'For `part_failed` the part, for `jobs_failed` the queue; otherwise `null`',
).meta({ id: 'BoxAlert' })
export type BoxAlert = z.infer<typeof BoxAlert>
export const BoxAlertList = z.object({ alerts: z.array(BoxAlert) }).meta({ id: 'BoxAlertList' })

export const AlertList = z.object({ alerts: z.array(Alert) }).meta({ id: 'AlertList' })

const unique = (texts: string[]) => new Set(texts.map((text) => text.toLowerCase())).size === texts.length
const addresses = z
  .array(z.email().max(254))
  .max(MAX_ADDRESSES)
  .refine(unique, 'must not repeat')
  .describe('Each receives a mail when an alert opens, and one when it ends')
const kinds = z.array(AlertKind).refine(unique, 'must not repeat').describe('The kinds of alerts that are mailed')

const language = Language.default('en').describe('The language of the mails')

export const AlertSettings = z.object({ addresses, kinds, language }).meta({ id: 'AlertSettings' })
export type AlertSettings = z.infer<typeof AlertSettings>

export const AlertSettingsAnswer = AlertSettings.extend({
  sendsMail: z.boolean().describe('Whether this installation can send mail'),
}).meta({ id: 'AlertSettingsAnswer' })
export type AlertSettingsAnswer = z.infer<typeof AlertSettingsAnswer>

export const TestMails = z
  .object({
    mails: z.array(
      z.object({
        address: z.string(),
        error: z
          .string()
          .nullable()
          .describe('Why the mail was not accepted; `null` if the mail server accepted it')
          .meta({ example: 'The mail server refused this address (550)' }),
      }),
    ),
  })
  .meta({ id: 'TestMails' })
export type TestMails = z.infer<typeof TestMails>
