import { type Kysely, sql } from 'kysely'
import type { NewApp } from './schema.ts'

type AppsTable = {
  id: string
  owner_id: string
  name: string
  description: string
  image_url: string | null
  visibility: 'PUBLIC' | 'PRIVATE'
  created_at: string
  updated_at: string
}
type AppKeysTable = {
  key_id: string
  app_id: string
  hash: Buffer
  encrypted: string
  created_at: string
  expires_at: string | null
}
type Tables = { apps: AppsTable; app_keys: AppKeysTable }

const columns = [
  'apps.id',
  'apps.owner_id as ownerId',
  'apps.name',
  'apps.description',
  'apps.image_url as imageUrl',
  'apps.visibility',
  'apps.created_at as createdAt',
  'apps.updated_at as updatedAt',
  'app_keys.key_id as keyId',
  'app_keys.encrypted as encryptedKey',
] as const

/** Apps and their keys, in SQL. */
export function appStore(db: Kysely<Tables>) {
  /** Each app with the key that does not end. */
  const withKey = () =>
    db
      .selectFrom('apps')
      .innerJoin('app_keys', (join) =>
        join.onRef('app_keys.app_id', '=', 'apps.id').on('app_keys.expires_at', 'is', null),
      )
      .select(columns)
      .orderBy('apps.created_at')
      .orderBy('apps.id')
  return {
    insert: (ownerId: string, id: string, app: NewApp, key: { keyId: string; hash: Buffer; encrypted: string }) =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('apps')
          .values({
            id,
            owner_id: ownerId,
            name: app.name,
            description: app.description,
            image_url: app.imageUrl ?? null,
            visibility: app.visibility,
            created_at: sql`now()`,
            updated_at: sql`now()`,
          })
          .execute()
        await trx
          .insertInto('app_keys')
          .values({ key_id: key.keyId, app_id: id, hash: key.hash, encrypted: key.encrypted, created_at: sql`now()` })
          .execute()
      }),

    get: (id: string) => withKey().where('apps.id', '=', id).executeTakeFirst(),
    ownedBy: (ownerId: string) => withKey().where('apps.owner_id', '=', ownerId).execute(),
    listPublic: () => withKey().where('apps.visibility', '=', 'PUBLIC').limit(10_000).execute(),

    /** The app that a live key belongs to, with the key's hash. */
    byKeyId: (keyId: string) =>
      db
        .selectFrom('app_keys')
        .innerJoin('apps', 'apps.id', 'app_keys.app_id')
        .select(['apps.id', 'apps.name', 'apps.owner_id as ownerId', 'app_keys.hash'])
        .where('app_keys.key_id', '=', keyId)
        .where((eb) =>
          eb.or([eb('app_keys.expires_at', 'is', null), eb('app_keys.expires_at', '>', sql<string>`now()`)]),
        )
        .executeTakeFirst(),

    audit: (actor: string, action: string, subjects: string[]) =>
      sql`insert into audit_log (actor, action, subject) select ${actor}, ${action}, unnest(${subjects}::text[])`.execute(
        db,
      ),
  }
}
export type AppStore = ReturnType<typeof appStore>
export type AppRow = NonNullable<Awaited<ReturnType<AppStore['get']>>>
