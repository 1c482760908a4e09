import { type Kysely, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { AnyTables } from '../../platform/database/database.ts'
import { quoteTag } from '../../platform/http/conditions.ts'
import { cutPage, decodeCursor, type Page, type PageQuery } from '../../platform/http/pages.ts'
import { StorageKey, type StoredKey, type StoredValue } from './schema.ts'

/** The value of a key before a write, and the totals of the player and the app. */
export type Before = { etag: string | null; bytes: number; keys: number; appBytes: number }

/** A value as it is stored. */
export type NewValue = { json: string; bytes: number; etag: string }

type Row = { key: string; bytes: number; etag: string; createdAt: string; updatedAt: string }

const shown = sql`key, bytes, etag, created_at as "createdAt", updated_at as "updatedAt"`
const toResponse = ({ key, bytes, etag, createdAt, updatedAt }: Row): StoredKey => ({
  key,
  size: bytes,
  etag: quoteTag(etag),
  createdAt,
  updatedAt,
})

export type StorageStore = ReturnType<typeof storageStore>

/** The values of players, in SQL. Writers of one player take turns. */
export function storageStore(db: Kysely<AnyTables>) {
  /** Locks the player, so that the state that `decide` sees is the one that is written. @returns false without it */
  const lockPlayer = async (trx: Transaction<AnyTables>, appId: string, playerId: string): Promise<boolean> => {
    const { rows } = await sql`
      select from players where app_id = ${appId} and id = ${playerId} for no key update`.execute(trx)
    return rows.length > 0
  }

  const before = async (trx: Transaction<AnyTables>, appId: string, playerId: string, key: string): Promise<Before> => {
    const { rows } = await sql<Before>`
      select s.etag, coalesce(s.bytes, 0) as bytes,
             (select count(*) from player_storage where app_id = ${appId} and player_id = ${playerId}) as keys,
             rows_counted('player_storage_bytes', ${appId}::uuid::text) as "appBytes"
        from (values (1)) one
        left join player_storage s on s.app_id = ${appId} and s.player_id = ${playerId} and s.key = ${key}`.execute(trx)
    return rows[0]!
  }

  return {
    /** @returns undefined without the player; `value` is null without the key */
    async get(appId: string, playerId: string, key: string) {
      const { rows } = await sql<{ value: StoredValue | null; etag: string | null }>`
        select s.value, s.etag from players p
          left join player_storage s on s.app_id = p.app_id and s.player_id = p.id and s.key = ${key}
         where p.app_id = ${appId} and p.id = ${playerId}`.execute(db)
      return rows[0]
    },

    /** By key. @returns undefined without the player @throws 400 for a cursor of another list */
    async page(appId: string, playerId: string, { limit, cursor }: PageQuery): Promise<Page<StoredKey> | undefined> {
      const [after = ''] = decodeCursor(cursor, z.tuple([StorageKey])) ?? []
      const { rows: players } = await sql<{ total: number }>`
        select (select count(*) from player_storage s where s.app_id = p.app_id and s.player_id = p.id) as total
          from players p where p.app_id = ${appId} and p.id = ${playerId}`.execute(db)
      if (!players[0]) return undefined
      const { rows } = await sql<Row>`
        select ${shown} from player_storage
         where app_id = ${appId} and player_id = ${playerId} and key > ${after} order by key limit ${limit + 1}`.execute(
        db,
      )
      return { ...cutPage(rows.map(toResponse), limit, ({ key }) => [key]), total: players[0].total }
    },

    /** Writes a value unless `decide` throws. @returns undefined without the player */
    put: (appId: string, playerId: string, key: string, value: NewValue, decide: (before: Before) => void) =>
      db.transaction().execute(async (trx): Promise<{ key: StoredKey; isNew: boolean } | undefined> => {
        if (!(await lockPlayer(trx, appId, playerId))) return undefined
        const former = await before(trx, appId, playerId, key)
        decide(former)
        const { rows } = await sql<Row>`
          insert into player_storage (app_id, player_id, key, value, bytes, etag)
          values (${appId}, ${playerId}, ${key}, ${value.json}::json, ${value.bytes}, ${value.etag})
          on conflict (app_id, player_id, key) do update
            set value = excluded.value, bytes = excluded.bytes, etag = excluded.etag, updated_at = clock_timestamp()
          returning ${shown}`.execute(trx)
        return { key: toResponse(rows[0]!), isNew: former.etag === null }
      }),

    /** Deletes a key unless `decide` throws. @returns false without the player or the key */
    remove: (appId: string, playerId: string, key: string, decide: (before: Before) => void): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        if (!(await lockPlayer(trx, appId, playerId))) return false
        decide(await before(trx, appId, playerId, key))
        const { rows } = await sql`
          delete from player_storage where app_id = ${appId} and player_id = ${playerId} and key = ${key}
          returning key`.execute(trx)
        return rows.length > 0
      }),
  }
}
