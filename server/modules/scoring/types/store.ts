import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { batchLoader } from '../../../platform/concurrency/batch-loader.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { cutPage, decodeCursor, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import { foldName } from '../../../platform/names.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { type MiniGameTypeRules, ruled } from '../judging/schema.ts'
import type { MiniGameType, MiniGameTypeChange, NewMiniGameType, TypeFilter } from '../schema.ts'
import { areShownFull, roomForType } from './type-quota.ts'

/** The type key of the default game: sessions without a mini game type. */
export const defaultGame = '00000000-0000-0000-0000-000000000000'

type TypesTable = {
  app_id: string
  id: string
  name: string
  name_key: string
  description: string
  image_url: string | null
  ascending: boolean
  scored: boolean
  min_score: number | null
  max_score: number | null
  submitted_by: 'server' | 'player'
  time_zone: string
  history_days: number
  rules: MiniGameTypeRules | null
  segments: string[]
  are_segments_ready: boolean
  created_at: string
  hidden_at: string | null
}
type Tables = { mini_game_types: TypesTable }

const columns = [
  'id',
  'name',
  'description',
  'image_url as imageUrl',
  'created_at as createdAt',
  sql<'asc' | 'desc'>`case when ascending then 'asc' else 'desc' end`.as('sortOrder'),
  'min_score as minScore',
  'max_score as maxScore',
  'submitted_by as submittedBy',
  'time_zone as timeZone',
  'history_days as historyDays',
  'rules',
  'segments',
] as const

/** Rules as a value of their column. */
const inTable = (rules: MiniGameTypeRules | null | undefined) => {
  const stored = ruled(rules)
  return sql<MiniGameTypeRules | null>`${stored && JSON.stringify(stored)}::jsonb`
}

const NameCursor = z.tuple([z.string(), z.uuid()])

/** Why a type was not changed: another one has the name, its order is fixed, its bounds would contradict each other. */
export type Refusal = 'taken' | 'order_fixed' | 'bounds_crossed'

/** Mini game types of one app, in SQL. Hidden types stay stored with their sessions and scores, but are not returned; types never played are deleted when others need the room. */
export function typeStore(db: Kysely<Tables>, { written, unchanged }: Pick<OwnUrls, 'written' | 'unchanged'>) {
  const toResponse = <Row extends Pick<MiniGameType, 'imageUrl'>>(row: Row): Row => ({
    ...row,
    imageUrl: written(row.imageUrl),
  })

  const typesOf = (appId: string, hidden = false) =>
    db
      .selectFrom('mini_game_types')
      .where('app_id', '=', appId)
      .where('hidden_at', hidden ? 'is not' : 'is', null)
  const shown = (appId: string) => typesOf(appId).select(columns)
  /** Read with every rank and leaderboard of a type. */
  const read = batchLoader<MiniGameType>({
    read: async (appId, ids) => {
      const types = await shown(appId).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
      return new Map(types.map((type) => [type.id, toResponse(type)]))
    },
  })

  const insertInto = (trx: Kysely<Tables>, appId: string, id: string, type: NewMiniGameType) =>
    trx
      .insertInto('mini_game_types')
      .values({
        app_id: appId,
        id,
        name: type.name,
        name_key: foldName(type.name),
        description: type.description,
        image_url: type.imageUrl ?? null,
        ascending: type.sortOrder === 'asc',
        scored: false,
        min_score: type.minScore ?? null,
        max_score: type.maxScore ?? null,
        submitted_by: type.submittedBy,
        time_zone: type.timeZone,
        history_days: type.historyDays,
        rules: inTable(type.rules),
        segments: type.segments,
        are_segments_ready: true,
        created_at: sql`clock_timestamp()`,
        hidden_at: null,
      })
      .onConflict((on) => on.columns(['app_id', 'name_key']).where('hidden_at', 'is', null).doNothing())
      .returning(columns)
      .executeTakeFirst()
      .then((type) => type && toResponse(type))

  return {
    /** By name. @param hidden only hidden types instead of visible ones */
    async page(appId: string, { hidden, limit, cursor }: PageQuery & TypeFilter): Promise<Page<MiniGameType>> {
      const after = decodeCursor(cursor, NameCursor)
      const [rows, { total }] = await Promise.all([
        typesOf(appId, hidden)
          .select([...columns, 'name_key'])
          .$if(after !== undefined, (query) =>
            query.where(sql<boolean>`(name_key, id) > (${after?.[0]}, ${after?.[1]}::uuid)`),
          )
          .orderBy('name_key')
          .orderBy('id')
          .limit(limit + 1)
          .execute(),
        typesOf(appId, hidden)
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow(),
      ])
      const page = cutPage(rows, limit, ({ name_key, id }) => [name_key, id])
      return { rows: page.rows.map(({ name_key, ...type }) => toResponse(type)), next: page.next, total }
    },

    get: (appId: string, id: string): Promise<MiniGameType | undefined> => read(appId, id.toLowerCase()),

    /** Hidden ones too. */
    getWithHidden: async (appId: string, id: string): Promise<MiniGameType | undefined> => {
      const all = db.selectFrom('mini_game_types').where('app_id', '=', appId).where('id', '=', id)
      const type = await all.select(columns).executeTakeFirst()
      return type && toResponse(type)
    },

    getByName: async (appId: string, name: string): Promise<MiniGameType | undefined> => {
      const type = await shown(appId).where('name_key', '=', foldName(name)).executeTakeFirst()
      return type && toResponse(type)
    },

    /** @param most how many an app may have, and hidden ones beside them @returns undefined when the app already has a type of that name (compared case-folded), 'full' or 'full of hidden' when it has as many as it may */
    insert: (
      appId: string,
      id: string,
      type: NewMiniGameType,
      most: number,
    ): Promise<MiniGameType | 'full' | 'full of hidden' | undefined> =>
      db.transaction().execute(async (trx) => {
        return (await roomForType(trx as never, appId, most)) ?? insertInto(trx, appId, id, type)
      }),

    /** Members that are absent stay; what says nothing new changes nothing. All or nothing. @returns undefined when there is no such type */
    async change(appId: string, id: string, change: MiniGameTypeChange): Promise<MiniGameType | Refusal | undefined> {
      const { name, description, imageUrl, sortOrder, minScore, maxScore, submittedBy, timeZone, historyDays, rules } =
        change
      const { segments } = change
      const update = db.transaction().execute(async (trx) => {
        // The first score of a type updates its row before it reads the order: one of the two waits for the other.
        const now = await trx
          .selectFrom('mini_game_types')
          .select([...columns, 'scored'])
          .where('app_id', '=', appId)
          .where('id', '=', id)
          .where('hidden_at', 'is', null)
          .forUpdate()
          .executeTakeFirst()
        if (!now) return undefined
        if (now.scored && sortOrder !== undefined && sortOrder !== now.sortOrder) return 'order_fixed' as const
        const min = minScore === undefined ? now.minScore : minScore
        const max = maxScore === undefined ? now.maxScore : maxScore
        if (min !== null && max !== null && min > max) return 'bounds_crossed' as const
        const { scored, ...type } = now
        const next = {
          ...type,
          name: name ?? now.name,
          description: description ?? now.description,
          imageUrl: imageUrl === undefined ? now.imageUrl : unchanged(imageUrl, [now.imageUrl]),
          sortOrder: sortOrder ?? now.sortOrder,
          minScore: min,
          maxScore: max,
          submittedBy: submittedBy ?? now.submittedBy,
          timeZone: timeZone ?? now.timeZone,
          historyDays: historyDays ?? now.historyDays,
          rules: rules === undefined ? now.rules : ruled(rules),
          segments: segments ?? now.segments,
        }
        if (isDeepStrictEqual(next, type)) return toResponse(type)
        if (next.historyDays > now.historyDays) await sql`select restart_history(${appId}, ${id})`.execute(trx)
        return trx
          .updateTable('mini_game_types')
          .set({
            name: next.name,
            name_key: foldName(next.name),
            description: next.description,
            image_url: next.imageUrl,
            ascending: next.sortOrder === 'asc',
            min_score: min,
            max_score: max,
            submitted_by: next.submittedBy,
            time_zone: next.timeZone,
            history_days: next.historyDays,
            rules: inTable(next.rules),
            segments: next.segments,
            ...(isDeepStrictEqual(next.segments, now.segments) ? {} : { are_segments_ready: false }),
          })
          .where('app_id', '=', appId)
          .where('id', '=', id)
          .returning(columns)
          .executeTakeFirst()
          .then((type) => type && toResponse(type))
      })
      return update.catch((error) => {
        if (isUniqueViolation(error)) return 'taken' as const
        throw error
      })
    },

    /** Frees its name; its sessions and scores stay. @returns false when there is no such type */
    hide: async (appId: string, id: string): Promise<boolean> =>
      (await db
        .updateTable('mini_game_types')
        .set({ hidden_at: sql`clock_timestamp()` })
        .where('app_id', '=', appId)
        .where('id', '=', id)
        .where('hidden_at', 'is', null)
        .returning('id')
        .executeTakeFirst()) !== undefined,

    /** Shows a hidden type again; one that is not hidden stays as it is. @returns undefined when there is no such type, 'taken' when another one has its name by now, 'full' when the app has as many as it may */
    restore: (appId: string, id: string, most: number): Promise<MiniGameType | 'taken' | 'full' | undefined> =>
      db
        .transaction()
        .execute(async (trx) => {
          const shownNow = await trx
            .selectFrom('mini_game_types')
            .select(columns)
            .where('app_id', '=', appId)
            .where('id', '=', id)
            .where('hidden_at', 'is', null)
            .executeTakeFirst()
          if (shownNow) return toResponse(shownNow)
          if (await areShownFull(trx as never, appId, most)) return 'full' as const
          const type = await trx
            .updateTable('mini_game_types')
            .set({ hidden_at: null })
            .where('app_id', '=', appId)
            .where('id', '=', id)
            .returning(columns)
            .executeTakeFirst()
          return type && toResponse(type)
        })
        .catch((error) => {
          if (isUniqueViolation(error)) return 'taken' as const
          throw error
        }),
  }
}
export type TypeStore = ReturnType<typeof typeStore>
