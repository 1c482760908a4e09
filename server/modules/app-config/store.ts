import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { cutPage, decodeCursor, type Page, type PageQuery } from '../../platform/http/pages.ts'
import { publishEvent } from '../webhooks/outbox.ts'
import { type AppConfig, type AppConfigVersion, MAX_VERSIONS } from './schema.ts'

/** Who writes: a user or an app key. */
export type Author = { userId: string | null; keyId: string | null }

const Cursor = z.tuple([
  z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
])

const shown = sql`version, bytes as size, user_id as "userId", key_id as "keyId", created_at as "createdAt"`

export type ConfigStore = ReturnType<typeof configStore>

/** The configuration of an app and its earlier versions, in SQL. Writers of one app take turns. */
export function configStore(db: Kysely<AnyTables>, audit: AuditLog) {
  const current = async (trx: Kysely<AnyTables>, appId: string) => {
    const { rows } = await sql<AppConfigVersion & { json: string }>`
      select ${shown}, value::text as json from app_configs where app_id = ${appId}
       order by version desc limit 1`.execute(trx)
    return rows[0]
  }

  return {
    /** @param version the newest without it */
    async get(appId: string, version?: number): Promise<{ version: number; value: AppConfig } | undefined> {
      const { rows } = await sql<{ version: number; value: AppConfig }>`
        select version, value from app_configs
         where app_id = ${appId} and (${version ?? null}::bigint is null or version = ${version ?? null}::bigint)
         order by version desc limit 1`.execute(db)
      return rows[0]
    },

    /** Newest first. @throws 400 for a cursor of another list */
    async page(appId: string, { limit, cursor }: PageQuery): Promise<Page<AppConfigVersion>> {
      const [before = null] = decodeCursor(cursor, Cursor) ?? []
      const { rows } = await sql<AppConfigVersion>`
        select ${shown} from app_configs
         where app_id = ${appId} and (${before}::int is null or version < ${before}::int)
         order by version desc limit ${limit + 1}`.execute(db)
      const { rows: counted } = await sql<{ total: number }>`
        select count(*) as total from app_configs where app_id = ${appId}`.execute(db)
      return { ...cutPage(rows, limit, ({ version }) => [version]), total: counted[0]!.total }
    },

    /**
     * Writes the next version unless `decide` throws, and removes the versions that are no longer kept. Writes nothing
     * if the configuration is the same. @returns undefined without the app
     */
    put: (
      appId: string,
      { json, bytes }: { json: string; bytes: number },
      { author, actor }: { author: Author; actor: Actor },
      decide: (version: number | undefined) => void,
    ) =>
      db.transaction().execute(async (trx): Promise<{ version: AppConfigVersion; isNew: boolean } | undefined> => {
        const { rows: apps } = await sql`
          select from apps where id = ${appId} and deleted_at is null for no key update`.execute(trx)
        if (apps.length === 0) return undefined
        const former = await current(trx, appId)
        decide(former?.version)
        if (former?.json === json) {
          const { json: _json, ...version } = former
          return { version, isNew: false }
        }
        const next = (former?.version ?? 0) + 1
        const { rows } = await sql<AppConfigVersion>`
          insert into app_configs (app_id, version, value, bytes, user_id, key_id)
          values (${appId}, ${next}, ${json}::json, ${bytes}, ${author.userId}, ${author.keyId})
          returning ${shown}`.execute(trx)
        const version = rows[0]!
        await sql`delete from app_configs where app_id = ${appId} and version <= ${next - MAX_VERSIONS}`.execute(trx)
        await audit.record([{ ...actor, action: 'app_config.updated', subject: appId }], trx)
        await publishEvent(trx, { type: 'app_config.updated', appId, userId: null, subject: appId, data: version })
        return { version, isNew: former === undefined }
      }),
  }
}
