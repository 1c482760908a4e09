import { type Kysely, sql } from 'kysely'
import type { AuditAction } from './audit-actions.ts'
import type { AnyTables } from './database.ts'

/**
 * Who did something, and from where. `actor` is a user's ID, `app:<id>` for an app's key, or `operator` for the command
 * line.
 */
export type Actor = { actor: string; address: string | null }

/**
 * An audit entry. `action` has the form `<thing>.<done>`, for example `app_key.rotated`; `subject` is the ID of the
 * affected record.
 */
type Entry = Actor & {
  action: AuditAction
  subject: string
  appId?: string | undefined
  changes?: AuditChanges | undefined
}

/** What an action changed, by name. Holds numbers and words of the interface only, no texts that people wrote. */
export type AuditChanges = Record<string, { from: AuditValue; to: AuditValue }>
type AuditValue = string | number | boolean | null

const MAX_VIEWS_AN_HOUR = 20

/** The audit log: who, what, when, from where. Append-only. */
export function auditLog(db: Kysely<AnyTables>) {
  return {
    /** Writes entries. @param transaction that of the described change, so that neither exists without the other */
    async record(entries: Entry[], transaction: Kysely<AnyTables> = db): Promise<void> {
      if (entries.length === 0) return
      const column = (name: keyof Entry) => entries.map((entry) => entry[name] ?? null)
      const changes = entries.map((entry) => (entry.changes ? JSON.stringify(entry.changes) : null))
      await sql`
        insert into audit_log (actor, action, subject, address, app_id, changes)
        select * from unnest(${column('actor')}::text[], ${column('action')}::text[], ${column('subject')}::text[], ${column('address')}::text[], ${column('appId')}::uuid[], ${changes}::jsonb[])`.execute(
        transaction,
      )
    },

    /**
     * Writes an entry for a read that shows a key or a secret: one an hour from each address, and at most 20 an hour, so
     * that reading, which continues while the disk is nearly full, cannot fill it.
     */
    async recordView({ actor, action, subject, address }: Actor & Pick<Entry, 'action' | 'subject'>): Promise<void> {
      await sql`
        insert into audit_log (actor, action, subject, address)
        select ${actor}, ${action}, ${subject}, ${address}
         where (select count(*) < ${MAX_VIEWS_AN_HOUR} and count(*) filter (where address is not distinct from ${address}::text) = 0
                  from audit_log
                 where actor = ${actor} and action = ${action} and subject = ${subject} and at > now() - interval '1 hour')`.execute(
        db,
      )
    },
  }
}
export type AuditLog = ReturnType<typeof auditLog>
