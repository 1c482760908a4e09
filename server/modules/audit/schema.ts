import { z } from 'zod'
import { givenMoment, listCursor, listLimit, moment } from '../../platform/schema.ts'

const Entry = z
  .object({
    id: z.int(),
    at: moment,
    actor: z.string().describe("A user's id, `app:<id>` for an app's key, `operator` at the command line"),
    actorName: z.string().nullable().describe("The user's name as it is now: the username, else the e-mail address"),
    action: z.string().meta({ example: 'app_key.rotated' }),
    subject: z.string().describe('The id of what it was done to'),
    address: z.string().nullable().describe('Where it was done from; null where that is not known, or was erased'),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof Entry>

export const AuditEntries = z.object({ entries: z.array(Entry) }).meta({ id: 'AuditEntryList' })

const text = z.string().min(1).max(255).optional()

export const AuditQuery = z.object({
  subject: text,
  actor: text,
  action: text,
  since: givenMoment.optional().describe('From this moment on'),
  until: givenMoment.optional().describe('Before this moment'),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type AuditQuery = z.infer<typeof AuditQuery>
