import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { batchLoader } from '../../../platform/concurrency/batch-loader.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { cutPage, decodeCursor, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import { foldName } from '../../../platform/names.ts'
import { changedRecord } from '../../../platform/records/changes.ts'
import { assignments, insertedValues, selectList } from '../../../platform/records/columns.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { rulesOrNull } from '../judging/schema.ts'
import type { MiniGameType, MiniGameTypeChange, NewMiniGameType, TypeFilter } from '../schema.ts'
import { storedMode, typeFields } from './record.ts'
import { areShownFull, roomForType } from './type-quota.ts'

/** The type key of the default game: sessions without a mini game type. */
export const defaultGame = '00000000-0000-0000-0000-000000000000'

const columns = selectList(typeFields)

const NameCursor = z.tuple([z.string(), z.uuid()])

/** Why a type was not changed: another one has the name, its order, mode or ties are fixed, its bounds would contradict each other. */
export type Refusal = 'taken' | 'order_fixed' | 'mode_fixed' | 'ties_fixed' | 'bounds_crossed'

/** Mini game types of one app, in SQL. Hidden types stay stored with their sessions and scores, but are not returned; types never played are deleted when others need the room. */
export function typeStore(db: Kysely<AnyTables>, { written, unchanged }: Pick<OwnUrls, 'written' | 'unchanged'>) {
  const toResponse = <Row extends Pick<MiniGameType, 'imageUrl'>>(row: Row): Row => ({
    ...row,
    imageUrl: written(row.imageUrl),
  })

  const typesWhere = async (condition: RawBuilder<unknown>, within = db): Promise<MiniGameType[]> =>
    (await sql<MiniGameType>`select ${columns} from mini_game_types where ${condition}`.execute(within)).rows
  const typeWhere = async (condition: RawBuilder<unknown>, within = db): Promise<MiniGameType | undefined> => {
    const [type] = await typesWhere(condition, within)
    return type && toResponse(type)
  }

  /** Read with every rank and leaderboard of a type. */
  const read = batchLoader<MiniGameType>({
    read: async (appId, ids) => {
      const types = await typesWhere(sql`app_id = ${appId} and hidden_at is null and id = any(${ids}::uuid[])`)
      return new Map(types.map((type) => [type.id, toResponse(type)]))
    },
  })

  async function insertInto(trx: Kysely<AnyTables>, appId: string, id: string, type: NewMiniGameType) {
    const values = insertedValues(
      typeFields,
      { ...type, rules: rulesOrNull(type.rules) },
      {
        ...{ app_id: appId, id, name_key: foldName(type.name), ascending: type.sortOrder === 'asc' },
        score_mode: storedMode(type),
      },
    )
    const { rows } = await sql<MiniGameType>`
      insert into mini_game_types ${values}
          on conflict (app_id, name_key) where hidden_at is null do nothing returning ${columns}`.execute(trx)
    return rows[0] && toResponse(rows[0])
  }

  return {
    /** By name. @param hidden only hidden types instead of visible ones */
    async page(appId: string, { hidden, limit, cursor }: PageQuery & TypeFilter): Promise<Page<MiniGameType>> {
      const after = decodeCursor(cursor, NameCursor)
      const listed = sql`app_id = ${appId} and hidden_at ${hidden ? sql`is not null` : sql`is null`}`
      const later = after ? sql`and (name_key, id) > (${after[0]}, ${after[1]}::uuid)` : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<MiniGameType & { nameKey: string }>`
          select ${columns}, name_key as "nameKey" from mini_game_types where ${listed} ${later}
           order by name_key, id limit ${limit + 1}`.execute(db),
        sql<{ total: number }>`select count(*) as total from mini_game_types where ${listed}`.execute(db),
      ])
      const page = cutPage(rows, limit, ({ nameKey, id }) => [nameKey, id])
      const types = page.rows.map(({ nameKey, ...type }) => toResponse(type))
      return { rows: types, next: page.next, total: counted.rows[0]!.total }
    },

    get: (appId: string, id: string): Promise<MiniGameType | undefined> => read(appId, id.toLowerCase()),

    /** Hidden ones too. */
    getWithHidden: (appId: string, id: string): Promise<MiniGameType | undefined> =>
      typeWhere(sql`app_id = ${appId} and id = ${id}`),

    getByName: (appId: string, name: string): Promise<MiniGameType | undefined> =>
      typeWhere(sql`app_id = ${appId} and hidden_at is null and name_key = ${foldName(name)}`),

    /** @param most how many an app may have, and hidden ones beside them @returns undefined when the app already has a type of that name (compared case-folded), 'full' or 'full of hidden' when it has as many as it may */
    insert: (
      appId: string,
      id: string,
      type: NewMiniGameType,
      most: number,
    ): Promise<MiniGameType | 'full' | 'full of hidden' | undefined> =>
      db.transaction().execute(async (trx) => {
        return (await roomForType(trx, appId, most)) ?? insertInto(trx, appId, id, type)
      }),

    /** Members that are absent stay; what says nothing new changes nothing. All or nothing. @returns undefined when there is no such type */
    async change(appId: string, id: string, change: MiniGameTypeChange): Promise<MiniGameType | Refusal | undefined> {
      const update = db.transaction().execute(async (trx) => {
        // The first score of a type updates its row before it reads the order: one of the two waits for the other.
        const { rows } = await sql<MiniGameType & { scored: boolean }>`
          select ${columns}, scored from mini_game_types
           where app_id = ${appId} and id = ${id} and hidden_at is null for update`.execute(trx)
        if (!rows[0]) return undefined
        const { scored, ...now } = rows[0]
        const next = { ...now, ...(changedRecord(typeFields, now, change) as MiniGameType) }
        if (change.imageUrl !== undefined) next.imageUrl = unchanged(change.imageUrl, [now.imageUrl])
        if (change.rules !== undefined) next.rules = rulesOrNull(change.rules)
        if (scored && next.sortOrder !== now.sortOrder) return 'order_fixed' as const
        if (scored && next.scoreMode !== now.scoreMode) return 'mode_fixed' as const
        if (scored && next.ties !== now.ties) return 'ties_fixed' as const
        if (next.minScore !== null && next.maxScore !== null && next.minScore > next.maxScore)
          return 'bounds_crossed' as const
        if (isDeepStrictEqual(next, now)) return toResponse(now)
        if (next.historyDays > now.historyDays) await sql`select restart_history(${appId}, ${id})`.execute(trx)
        const recount = isDeepStrictEqual(next.segments, now.segments)
          ? sql``
          : sql`, are_segments_ready = false, segments_changed_at = clock_timestamp()`
        const changed = await sql<MiniGameType>`
          update mini_game_types set ${assignments(typeFields, next)}, name_key = ${foldName(next.name)},
                 ascending = ${next.sortOrder === 'asc'}, score_mode = ${storedMode(next)} ${recount}
           where app_id = ${appId} and id = ${id} returning ${columns}`.execute(trx)
        return changed.rows[0] && toResponse(changed.rows[0])
      })
      return update.catch((error) => {
        if (isUniqueViolation(error)) return 'taken' as const
        throw error
      })
    },

    /** Frees its name; its sessions and scores stay. @returns false when there is no such type */
    async hide(appId: string, id: string): Promise<boolean> {
      const { rows } = await sql`
        update mini_game_types set hidden_at = clock_timestamp()
         where app_id = ${appId} and id = ${id} and hidden_at is null returning id`.execute(db)
      return rows.length > 0
    },

    /** Shows a hidden type again; one that is not hidden stays as it is. @returns undefined when there is no such type, 'taken' when another one has its name by now, 'full' when the app has as many as it may */
    restore: (appId: string, id: string, most: number): Promise<MiniGameType | 'taken' | 'full' | undefined> =>
      db
        .transaction()
        .execute(async (trx) => {
          const shownNow = await typeWhere(sql`app_id = ${appId} and id = ${id} and hidden_at is null`, trx)
          if (shownNow) return shownNow
          if (await areShownFull(trx, appId, most)) return 'full' as const
          const { rows } = await sql<MiniGameType>`
            update mini_game_types set hidden_at = null
             where app_id = ${appId} and id = ${id} returning ${columns}`.execute(trx)
          return rows[0] && toResponse(rows[0])
        })
        .catch((error) => {
          if (isUniqueViolation(error)) return 'taken' as const
          throw error
        }),
  }
}
export type TypeStore = ReturnType<typeof typeStore>
