import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { lockOwner } from '../../../platform/database/locks/ownership.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Quotas, quotaExceeded } from '../../../platform/quotas.ts'
import type { NewKey } from '../store.ts'
import { copyFences, copyScoreHooks, copySeasons, copyTypes, copyWebhooks } from './copied-parts.ts'

export type CopyQuotas = Pick<Quotas, 'apps' | 'gameTypes' | 'seasons' | 'webhooks' | 'fences'>

/** A copy to make. */
export type NewCopy = {
  from: string
  id: string
  ownerId: string
  name: string
  environment: 'production' | 'development'
  key: NewKey
}

/** New secrets, encrypted as they are stored. */
export type NewSecrets = { ofWebhook: () => string; ofScoreHook: () => string }

type Deps = { audit: AuditLog; newId: () => string; newSecrets: NewSecrets }
export type CopyStore = ReturnType<typeof copyStore>

/** Copies of apps, in SQL. */
export function copyStore(db: Kysely<AnyTables>, { audit, newId, newSecrets }: Deps) {
  return {
    /** Copies an app with what its team has set up, in one transaction. @throws 404; 409 if a quota is used up */
    copy: (copy: NewCopy, quotas: CopyQuotas, actor: Actor): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { from, id, ownerId, name, environment, key } = copy
        await lockOwner(trx, ownerId)
        const { rows: owned } = await sql<{ count: number }>`
          select count(*) as count from apps where owner_id = ${ownerId} and deleted_at is null`.execute(trx)
        if (owned[0]!.count >= quotas.apps) throw quotaExceeded('apps', quotas.apps)
        // Seasons, fences and webhooks of the app are created and changed under this lock.
        const { rows: made } = await sql`
          with source as (select * from apps where id = ${from} and deleted_at is null for no key update)
          insert into apps (id, owner_id, name, description, image_url, visibility, environment, created_at, updated_at)
          select ${id}::uuid, ${ownerId}::uuid, ${name}, description, image_url, 'PRIVATE', ${environment},
                 clock_timestamp(), clock_timestamp() from source
          returning id`.execute(trx)
        if (made.length === 0) throw notFound('App')
        await sql`
          insert into app_keys (key_id, app_id, hash, kind, encrypted, created_at)
          values (${key.keyId}, ${id}, ${key.hash}, 'server', ${key.encrypted}, clock_timestamp())`.execute(trx)
        const parts = { trx, from, id, newId, quotas }
        const types = await copyTypes(parts)
        await copySeasons(parts, types)
        await copyFences(parts, types)
        await copyScoreHooks(parts, types, newSecrets.ofScoreHook)
        await copyWebhooks(parts, newSecrets.ofWebhook)
        await sql`
          insert into app_configs (app_id, version, value, bytes, user_id)
          select ${id}::uuid, 1, value, bytes, ${ownerId}::uuid from app_configs where app_id = ${from}
           order by version desc limit 1`.execute(trx)
        const created = { ...actor, action: 'app.created' as const, subject: id }
        await audit.record([created, { ...actor, action: 'app.copied', subject: `${from}/${id}`, appId: from }], trx)
      }),
  }
}
