import { type Kysely, sql, type Transaction } from 'kysely'
import type { AppRole } from '../../platform/credentials/app-roles.ts'
import type { KeyKind } from '../../platform/credentials/key-kinds.ts'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import { lockOwner } from '../../platform/database/locks/ownership.ts'
import { countUpTo } from '../../platform/database/row-counts.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import { quotaExceeded } from '../../platform/quotas.ts'
import { MAX_COUNTED } from '../../platform/schema.ts'
import type { AppChange, AppContents, NewApp } from './schema.ts'

type AppsTable = {
  id: string
  /** null once deleted */
  owner_id: string | null
  name: string
  description: string
  image_url: string | null
  visibility: 'PUBLIC' | 'PRIVATE'
  environment: 'production' | 'development'
  created_at: string
  updated_at: string
  deleted_at: string | null
}
type AppKeysTable = {
  key_id: string
  app_id: string
  hash: Buffer
  kind: KeyKind
  encrypted: string | null
  created_at: string
  expires_at: string | null
}
type AppMembersTable = { app_id: string; user_id: string; role: AppRole }
type Tables = { apps: AppsTable; app_keys: AppKeysTable; app_members: AppMembersTable }
export type AppTransaction = Transaction<Tables>

/** A key as stored. */
export type NewKey = { keyId: string; hash: Buffer; encrypted: string }

const columns = [
  'apps.id',
  'apps.owner_id as ownerId',
  'apps.name',
  'apps.description',
  'apps.image_url as imageUrl',
  'apps.visibility',
  'apps.environment',
  'apps.created_at as createdAt',
  'apps.updated_at as updatedAt',
  'app_keys.key_id as keyId',
  sql<string>`app_keys.encrypted`.as('encryptedKey'),
] as const

const now = sql<string>`clock_timestamp()`

/** Apps and their keys, in SQL. A deleted app is invisible, even while its rows remain. */
export function appStore(db: Kysely<Tables>, audit: AuditLog) {
  const live = () => db.selectFrom('apps').where('apps.deleted_at', 'is', null)
  type Live = ReturnType<typeof live>

  /** With the key that does not end. */
  const withKey = (apps: Live, viewer?: string) =>
    apps
      .innerJoin('app_keys', (join) =>
        join.onRef('app_keys.app_id', '=', 'apps.id').on('app_keys.expires_at', 'is', null),
      )
      .leftJoin('app_members as viewing', (join) =>
        join.onRef('viewing.app_id', '=', 'apps.id').on('viewing.user_id', '=', viewer ?? null),
      )
      .select([...columns, 'viewing.role'])

  /** Oldest first. */
  const page = async (apps: Live, { limit, cursor }: PageQuery, viewer?: string): Promise<Page<AppRow>> => {
    const after = afterTime(cursor)
    const [rows, total] = await Promise.all([
      withKey(apps, viewer)
        .select(sql<string>`apps.created_at::text`.as('cursorAt'))
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(apps.created_at, apps.id) > (${after?.at}::timestamptz, ${after?.id}::uuid)`),
        )
        .orderBy('apps.created_at')
        .orderBy('apps.id')
        .limit(limit + 1)
        .execute(),
      countUpTo(db, sql`(${apps}) as found`),
    ])
    return pageByTime(rows, limit, total)
  }

  const insertKey = (trx: AppTransaction, appId: string, { keyId, hash, encrypted }: NewKey) =>
    trx
      .insertInto('app_keys')
      .values({ key_id: keyId, app_id: appId, hash, kind: 'server', encrypted, created_at: now })
      .execute()

  return {
    /** @param most the quota of the user @returns false if it is used up */
    insert: (ownerId: string, id: string, app: NewApp, key: NewKey, actor: Actor, most: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        await lockOwner(trx as never, ownerId)
        const owned = trx.selectFrom('apps').where('owner_id', '=', ownerId).where('deleted_at', 'is', null)
        const { count } = await owned.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
        if (count >= most) return false
        await trx
          .insertInto('apps')
          .values({
            id,
            owner_id: ownerId,
            name: app.name,
            description: app.description,
            image_url: app.imageUrl ?? null,
            visibility: app.visibility,
            environment: app.environment,
            created_at: now,
            updated_at: now,
          })
          .execute()
        await insertKey(trx, id, key)
        await audit.record([{ ...actor, action: 'app.created', subject: id }], trx)
        return true
      }),

    /** @param viewer the user whose role in the app is read */
    get: (id: string, viewer?: string): Promise<AppRow | undefined> =>
      withKey(live(), viewer).where('apps.id', '=', id).executeTakeFirst(),
    /** The apps that the user is a member of. */
    ofMember: (userId: string, query: PageQuery) =>
      page(
        live().where('apps.id', 'in', db.selectFrom('app_members').select('app_id').where('user_id', '=', userId)),
        query,
        userId,
      ),
    listAll: (query: PageQuery) => page(live(), query),
    listPublic: (query: PageQuery) => page(live().where('apps.visibility', '=', 'PUBLIC'), query),

    /** Updates an app; undefined members stay. */
    update: async (id: string, { name, description, imageUrl, visibility, environment }: AppChange): Promise<void> => {
      await db
        .updateTable('apps')
        .set({ name, description, image_url: imageUrl, visibility, environment, updated_at: now })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .execute()
    },

    /**
     * Makes `key` the current key; earlier ones end after the grace period, or sooner if they already would. Additional
     * keys stay. @param
     * most how many keys can work at a time @returns false if the app is gone @throws 409 if there would be more
     */
    rotate: (id: string, key: NewKey, graceSeconds: number, actor: Actor, most: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql`select from apps where id = ${id} and deleted_at is null for update`.execute(trx)
        if (rows.length === 0) return false
        await sql`update app_keys
                     set expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${graceSeconds}))
                   where app_id = ${id} and expires_at is distinct from 'infinity'`.execute(trx)
        const working = await sql<{ count: number }>`
          select count(*) as count from app_keys where app_id = ${id} and expires_at > clock_timestamp()`.execute(trx)
        if (working.rows[0]!.count >= most) throw quotaExceeded('keys', most)
        await insertKey(trx, id, key)
        await audit.record([{ ...actor, action: 'app_key.rotated', subject: id }], trx)
        return true
      }),

    /** Counts the contents of an app. */
    contents: async (id: string): Promise<AppContents> => {
      const { rows } = await sql<AppContents>`
        select rows_counted('players', ${id}::uuid::text) as players,
               rows_counted('game_sessions', ${id}::uuid::text) as "gameSessions",
               (select count(*) from (
                  select from session_players where app_id = ${id} and scored_at is not null limit ${MAX_COUNTED}) as found) as scores,
               (select count(*) from mini_game_types where app_id = ${id} and hidden_at is null) as "miniGameTypes",
               (select count(*) from app_keys where app_id = ${id}
                   and (expires_at is null or expires_at > now())) as keys`.execute(reading(db))
      return rows[0]!
    },

    /**
     * Deletes the app and its keys, and runs `then` in the same transaction for the rest. @returns false if the app is
     * gone, or has changed owner or name
     */
    remove: (
      { id, ownerId, name }: Pick<AppRow, 'id' | 'ownerId' | 'name'>,
      actor: Actor,
      then: (trx: AppTransaction) => Promise<void>,
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const removed = await trx
          .updateTable('apps')
          .set({ deleted_at: now, owner_id: null })
          .where('id', '=', id)
          .where('owner_id', '=', ownerId)
          .where('name', '=', name)
          .where('deleted_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!removed) return false
        await trx.deleteFrom('app_keys').where('app_id', '=', id).execute()
        await trx.deleteFrom('app_members').where('app_id', '=', id).execute()
        await sql`delete from app_invitations where app_id = ${id}`.execute(trx)
        await audit.record([{ ...actor, action: 'app.deleted', subject: id }], trx)
        await then(trx)
        return true
      }),

    /** The app of a valid key, with the key's hash. */
    byKeyId: (keyId: string) =>
      db
        .selectFrom('app_keys')
        .innerJoin('apps', 'apps.id', 'app_keys.app_id')
        .select(['apps.id', 'apps.name', 'app_keys.key_id as keyId', 'app_keys.hash', 'app_keys.kind'])
        .select(sql<boolean>`app_keys.expires_at = 'infinity'`.as('isAdditional'))
        .where('app_keys.key_id', '=', keyId)
        .where('apps.deleted_at', 'is', null)
        .where((eb) => eb.or([eb('app_keys.expires_at', 'is', null), eb('app_keys.expires_at', '>', now)]))
        .executeTakeFirst(),

    /** Deletes expired keys. */
    removeEndedKeys: async (): Promise<void> => {
      await db.deleteFrom('app_keys').where('expires_at', '<=', now).execute()
    },
  }
}
export type AppStore = ReturnType<typeof appStore>
export type AppRow = {
  id: string
  ownerId: string | null
  name: string
  description: string
  imageUrl: string | null
  visibility: 'PUBLIC' | 'PRIVATE'
  environment: 'production' | 'development'
  createdAt: string
  updatedAt: string
  keyId: string
  encryptedKey: string
  /** The role of the user for whom the row was read; null for others. */
  role: AppRole | null
}
