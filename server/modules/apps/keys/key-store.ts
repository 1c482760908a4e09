import { type Kysely, sql } from 'kysely'
import type { KeyKind } from '../../../platform/credentials/key-kinds.ts'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { quotaExceeded } from '../../../platform/quotas.ts'

export type KeyRow = {
  keyId: string
  kind: KeyKind
  name: string
  createdAt: string
  endsAt: string | null
  lastUsedAt: string | null
  isCurrent: boolean
  callsLastHour: number
}

/** An additional key as stored: it cannot be read again. */
export type AdditionalKey = { keyId: string; hash: Buffer; kind: KeyKind; name: string }

/** The keys of an app, in SQL. */
export function keyStore(db: Kysely<AnyTables>, audit: AuditLog) {
  const where = (appId: string, keyId: string | null) => sql`
    k.app_id = ${appId} and (${keyId}::text is null or k.key_id = ${keyId})
      and (k.expires_at is null or k.expires_at > clock_timestamp())`

  const read = async (appId: string, keyId: string | null): Promise<KeyRow[]> => {
    const { rows } = await sql<KeyRow>`
      select k.key_id as "keyId", k.kind, k.name, k.created_at as "createdAt",
             nullif(k.expires_at, 'infinity') as "endsAt", k.last_used_at as "lastUsedAt",
             k.expires_at is null as "isCurrent",
             (select coalesce(sum(m.calls), 0) from usage_hours u, unnest(u.minutes) with ordinality m (calls, n)
               where u.app_id = k.app_id and u.key_id = k.key_id and u.hour > now() - interval '2 hours'
                 and u.hour + make_interval(mins => m.n::int) > now() - interval '1 hour') as "callsLastHour"
        from app_keys k where ${where(appId, keyId)}
       order by k.created_at desc, k.key_id`.execute(db)
    return rows
  }

  return {
    /** The working keys, newest first. */
    list: (appId: string) => read(appId, null),

    /** Adds a key that does not expire. @returns undefined if the app was deleted @throws 409 beyond `most` working keys */
    add: async (appId: string, key: AdditionalKey, actor: Actor, most: number): Promise<KeyRow | undefined> => {
      const added = await db.transaction().execute(async (trx) => {
        const apps = await sql`select from apps where id = ${appId} and deleted_at is null for update`.execute(trx)
        if (apps.rows.length === 0) return false
        const working = await sql<{ count: number }>`
          select count(*) as count from app_keys k where ${where(appId, null)}`.execute(trx)
        if (working.rows[0]!.count >= most) throw quotaExceeded('keys', most)
        await sql`
          insert into app_keys (key_id, app_id, hash, kind, name, created_at, expires_at)
          values (${key.keyId}, ${appId}, ${key.hash}, ${key.kind}, ${key.name}, clock_timestamp(), 'infinity')`.execute(
          trx,
        )
        await audit.record([{ ...actor, action: 'app_key.created', subject: appId }], trx)
        return true
      })
      return added ? (await read(appId, key.keyId))[0] : undefined
    },

    /** Ends an additional key, or a replaced one. @returns false if the app has no such key, or it is the current one */
    end: (appId: string, keyId: string, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const ended = await sql`
          update app_keys set expires_at = clock_timestamp()
           where app_id = ${appId} and key_id = ${keyId} and expires_at > clock_timestamp()`.execute(trx)
        if (Number(ended.numAffectedRows) === 0) return false
        await audit.record([{ ...actor, action: 'app_key.ended', subject: appId }], trx)
        return true
      }),
  }
}
export type KeyStore = ReturnType<typeof keyStore>
