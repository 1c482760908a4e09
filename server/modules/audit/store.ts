import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { inBatches } from '../../platform/database/query/batches.ts'
import { totalOf } from '../../platform/database/row-counts.ts'
import { cutPage, decodeCursor, type Page } from '../../platform/http/pages.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'

type Tables = { audit_log: Omit<AuditEntry, 'actorName' | 'subjectName' | 'appId'> & { app_id: string | null } }

const Cursor = z.tuple([z.int()])
const KEPT_DAYS = 400
const BATCH = 10_000

/** The user's name, looked up by ID; other actors are not IDs. */
const actorName = sql<string | null>`(
  select coalesce(u.username, u.email) from users u
   where u.id = case when actor ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then actor::uuid end)`

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** The name of the affected record, of the kinds that people look for. */
const subjectName = sql<string | null>`
  case
    when action ~ '^(app|app_key|app_config|app_invitation)\\.' and audit_log.subject ~ ${UUID}
      then (select a.name from apps a where a.id = audit_log.subject::uuid)
    when action ~ '^(user|account|session)\\.' and audit_log.subject ~ ${UUID}
      then (select coalesce(u.username, u.email) from users u where u.id = audit_log.subject::uuid)
    when action ~ '^player\\.' and app_id is not null and audit_log.subject ~ ${UUID}
      then (select p.display_name from players p where p.app_id = audit_log.app_id and p.id = audit_log.subject::uuid)
    when action in ('score.corrected', 'score.set') and right(audit_log.subject, 36) ~ ${UUID}
      then (select p.display_name from players p
             where p.app_id = audit_log.app_id and p.id = right(audit_log.subject, 36)::uuid)
    when action ~ '^game_session\\.' and app_id is not null and left(audit_log.subject, 36) ~ ${UUID}
      then (select g.name from game_sessions g where g.app_id = audit_log.app_id and g.id = left(audit_log.subject, 36)::uuid)
    when action ~ '^pin\\.' and audit_log.subject ~ '^[0-9]{1,18}$' then (select p.title from pins p where p.id = audit_log.subject::bigint)
    when action ~ '^gcp\\.' and audit_log.subject ~ '^[0-9]{1,18}$' then (select g.title from gcps g where g.id = audit_log.subject::bigint)
    when action ~ '^zone\\.' and audit_log.subject ~ '^[0-9]{1,18}$' then (select z.title from zones z where z.id = audit_log.subject::bigint)
  end`

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
          .select(['id', 'at', 'actor', 'action', 'subject', 'address', 'app_id as appId', 'changes'])
          .select([actorName.as('actorName'), subjectName.as('subjectName')])
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
