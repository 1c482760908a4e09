import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { inBatches } from '../../platform/database/query/batches.ts'
import { totalOf } from '../../platform/database/row-counts.ts'
import { cutPage, decodeCursor, type Page } from '../../platform/http/pages.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'
import { subjectApp, subjectName } from './subject-names.ts'

type Tables = { audit_log: Omit<AuditEntry, 'actorName' | 'subjectName' | 'appId'> & { app_id: string | null } }

const Cursor = z.tuple([z.int()])
const KEPT_DAYS = 400
const BATCH = 10_000

/** The user's name, looked up by ID; other actors are not IDs. */
const actorName = sql<string | null>`(
  select coalesce(u.username, u.email) from users u
   where u.id = case when actor ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then actor::uuid end)`

/** Reads and purges the audit log, in SQL. */
export function auditStore(db: Kysely<Tables>) {
  return {
    /** Newest first; filters match exactly. */
    async page({ limit, cursor, ...filter }: AuditQuery): Promise<Page<AuditEntry>> {
      const { subject, actor, action, since, until } = filter
      const [before] = decodeCursor(cursor, Cursor) ?? []
      const wanted = Object.entries({ subject, actor, action })
      const found = db
        .selectFrom('audit_log')
        .where((eb) =>
          eb.and(wanted.flatMap(([name, value]) => (value === undefined ? [] : [eb(sql.ref(name), '=', value)]))),
        )
        .$if(since !== undefined, (query) => query.where('at', '>=', since!))
        .$if(until !== undefined, (query) => query.where('at', '<', until!))
      const [rows, total] = await Promise.all([
        found
          .select(['id', 'at', 'actor', 'action', 'subject', 'address', 'changes'])
          .select([actorName.as('actorName'), subjectName.as('subjectName'), subjectApp.as('appId')])
          .$if(before !== undefined, (query) => query.where('id', '<', before!))
          .orderBy('id', 'desc')
          .limit(limit + 1)
          .execute(),
        totalOf(db, { table: 'audit_log' }, filter, sql`(${found}) as found`),
      ])
      return { ...cutPage(rows, limit, ({ id }) => [id]), total }
    },

    /** Deletes entries older than 400 days. */
    async removeOld(): Promise<void> {
      const oldest = sql`
        delete from audit_log where id in (
          select id from audit_log where at < now() - make_interval(days => ${KEPT_DAYS}) order by at limit ${BATCH})`
      await inBatches(BATCH, async () => (await oldest.execute(db)).numAffectedRows)
    },
  }
}
export type AuditStore = ReturnType<typeof auditStore>
