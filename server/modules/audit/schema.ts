import { z } from 'zod'
import { listCursor, listLimit, timestamp, timestampInput } from '../../platform/schema.ts'

const AuditValue = z.union([z.string(), z.number(), z.boolean()]).nullable()

const Entry = z
  .object({
    id: z.int(),
    at: timestamp,
    actor: z.string().describe("A user's ID, `app:<id>` for an app's key, or `operator` for the command line"),
    actorName: z.string().nullable().describe("The user's current name: the username, or else the email address"),
    action: z.string().meta({ example: 'app_key.rotated' }),
    subject: z.string().describe('The ID of the affected record'),
    subjectName: z
      .string()
      .nullable()
      .describe('Its current name; `null` if it has none, was deleted, or is not looked up'),
    appId: z.string().nullable().describe('The app that the affected record belongs to, where it is known'),
    changes: z
      .record(z.string(), z.object({ from: AuditValue, to: AuditValue }))
      .nullable()
      .describe('What changed, by name, with the value before and after; `null` where it is not recorded'),
    address: z.string().nullable().describe("The client's address; `null` if unknown or erased"),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof Entry>

export const AuditEntries = z.object({ entries: z.array(Entry) }).meta({ id: 'AuditEntryList' })

const text = z.string().min(1).max(255).optional()

export const AuditQuery = z.object({
  subject: text.describe('Entries with this affected record'),
  actor: text.describe('Entries of this actor'),
  action: text.describe('Entries with this action, such as `app_key.rotated`'),
  since: timestampInput.optional().describe('Entries at or after this time'),
  until: timestampInput.optional().describe('Entries before this time'),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type AuditQuery = z.infer<typeof AuditQuery>
