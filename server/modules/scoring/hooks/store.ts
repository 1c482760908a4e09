import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { reading } from '../../../platform/database/write-tracking.ts'
import { defaultGame } from '../types/store.ts'
import type { AskedHook } from './questions.ts'
import { MAX_HOOKS, type ScoreHook, type ScoreHookChange } from './schema.ts'

const shown = sql`
  h.id, case when h.type_key = ${sql.lit(defaultGame)}::uuid then 'default' else h.type_key::text end as "miniGameTypeId",
  h.url, h.on_failure as "onFailure", h.enabled, h.last_error as "lastError", h.last_failed_at as "lastFailedAt",
  h.created_at as "createdAt", h.updated_at as "updatedAt"`

type NewHook = { id: string; typeKey: string | null; url: string; onFailure: string; secret: string }
type HookDone = 'created' | 'changed' | 'secret_rotated' | 'deleted'
export type HookStore = ReturnType<typeof hookStore>

/** The score hooks of apps, in SQL. */
export function hookStore(db: Kysely<AnyTables>, audit: AuditLog) {
  /** Runs a statement that returns a hook, with its audit entry. */
  const audited = (appId: string, done: HookDone, actor: Actor, statement: RawBuilder<ScoreHook>) =>
    db.transaction().execute(async (trx) => {
      const [hook] = (await statement.execute(trx)).rows
      if (hook) await audit.record([{ ...actor, action: `score_hook.${done}`, subject: hook.id, appId }], trx)
      return hook
    })
  const update = (appId: string, id: string, members: RawBuilder<unknown>) => sql<ScoreHook>`
    update score_hooks h set ${members}, updated_at = clock_timestamp()
     where h.app_id = ${appId} and h.id = ${id} returning ${shown}`

  return {
    /** That of all types first, then oldest first. */
    async list(appId: string): Promise<ScoreHook[]> {
      const { rows } = await sql<ScoreHook>`
        select ${shown} from score_hooks h where h.app_id = ${appId}
         order by h.type_key is not null, h.created_at, h.id`.execute(reading(db))
      return rows
    },

    /** The enabled hooks as scores need them, by the key of their type; null: of all types. */
    async enabled(appId: string): Promise<Map<string | null, AskedHook>> {
      const { rows } = await sql<AskedHook & { typeKey: string | null }>`
        select h.type_key as "typeKey", h.id, h.url, h.on_failure as "onFailure", h.secret, h.old_secret as "oldSecret",
               coalesce(extract(epoch from h.old_secret_until) * 1000, 0)::float8 as "oldSecretUntil"
          from score_hooks h where h.app_id = ${appId} and h.enabled`.execute(reading(db))
      return new Map(rows.map(({ typeKey, ...hook }) => [typeKey, hook]))
    },

    /** @returns `taken` if these scores have a hook, `full` if the app has as many as it may */
    async insert(appId: string, hook: NewHook, actor: Actor): Promise<ScoreHook | 'taken' | 'full'> {
      const { id, typeKey, url, onFailure, secret } = hook
      const statement = sql<ScoreHook>`
        with locked as (select from apps where id = ${appId} for no key update)
        insert into score_hooks as h (app_id, id, type_key, url, on_failure, secret)
        select ${appId}::uuid, ${id}::uuid, ${typeKey}::uuid, ${url}, ${onFailure}, ${secret} from locked
         where (select count(*) from score_hooks where app_id = ${appId}) < ${MAX_HOOKS}
        returning ${shown}`
      try {
        return (await audited(appId, 'created', actor, statement)) ?? 'full'
      } catch (error) {
        if (isUniqueViolation(error)) return 'taken'
        throw error
      }
    },

    /** Absent members stay. @returns undefined without such a hook */
    change: (appId: string, id: string, { url, onFailure, enabled }: ScoreHookChange, actor: Actor) =>
      audited(
        appId,
        'changed',
        actor,
        update(
          appId,
          id,
          sql`url = coalesce(${url ?? null}, url), on_failure = coalesce(${onFailure ?? null}, on_failure),
              enabled = coalesce(${enabled ?? null}::boolean, enabled)`,
        ),
      ),

    /** The former secret signs too for `graceSeconds`. @returns undefined without such a hook */
    rotate: (appId: string, id: string, secret: string, graceSeconds: number, actor: Actor) =>
      audited(
        appId,
        'secret_rotated',
        actor,
        update(
          appId,
          id,
          sql`old_secret = secret, secret = ${secret},
              old_secret_until = clock_timestamp() + make_interval(secs => ${graceSeconds})`,
        ),
      ),

    /** @returns undefined without such a hook */
    remove: (appId: string, id: string, actor: Actor) =>
      audited(
        appId,
        'deleted',
        actor,
        sql<ScoreHook>`delete from score_hooks h where h.app_id = ${appId} and h.id = ${id} returning ${shown}`,
      ),

    async noteFailure(appId: string, id: string, error: string): Promise<void> {
      await sql`
        update score_hooks set last_error = ${error}, last_failed_at = clock_timestamp()
         where app_id = ${appId} and id = ${id}`.execute(db)
    },
  }
}
