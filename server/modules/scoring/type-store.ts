import { type Kysely, sql } from 'kysely'
import { foldName } from '../../platform/names.ts'
import type { MiniGameType, NewMiniGameType } from './schema.ts'

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
  min_score: number | null
  max_score: number | null
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
] as const

/** Mini game types of one app, in SQL. Hidden ones stay in the table (their sessions and scores do) but are not returned. */
export function typeStore(db: Kysely<Tables>) {
  const shown = (appId: string) =>
    db.selectFrom('mini_game_types').select(columns).where('app_id', '=', appId).where('hidden_at', 'is', null)

  return {
    list: (appId: string): Promise<MiniGameType[]> => shown(appId).orderBy('name_key').limit(10_000).execute(),

    get: (appId: string, id: string): Promise<MiniGameType | undefined> =>
      shown(appId).where('id', '=', id).executeTakeFirst(),

    getByName: (appId: string, name: string): Promise<MiniGameType | undefined> =>
      shown(appId).where('name_key', '=', foldName(name)).executeTakeFirst(),

    /** @returns undefined when the app already has a type of that name (compared case-folded). */
    insert: (appId: string, id: string, type: NewMiniGameType): Promise<MiniGameType | undefined> =>
      db
        .insertInto('mini_game_types')
        .values({
          app_id: appId,
          id,
          name: type.name,
          name_key: foldName(type.name),
          description: type.description,
          image_url: type.imageUrl ?? null,
          ascending: type.sortOrder === 'asc',
          min_score: type.minScore ?? null,
          max_score: type.maxScore ?? null,
          created_at: sql`clock_timestamp()`,
          hidden_at: null,
        })
        .onConflict((on) => on.columns(['app_id', 'name_key']).where('hidden_at', 'is', null).doNothing())
        .returning(columns)
        .executeTakeFirst(),
  }
}
export type TypeStore = ReturnType<typeof typeStore>
