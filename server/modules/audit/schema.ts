import { z } from 'zod'
import { moment, queryInteger } from '../../platform/schema.ts'

const Entry = z
  .object({
    id: z.int(),
    at: moment,
    actor: z.string().describe("A user's id, `app:<id>` for an app's key, `operator` at the command line"),
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
  limit: queryInteger
    .pipe(z.number().min(1).max(1000))
    .default(100)
    .meta({ type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
  cursor: z.string().max(1024).optional().describe('Opaque; from the `Link` header (rel="next") of the page before'),
})
export type AuditQuery = z.infer<typeof AuditQuery>
