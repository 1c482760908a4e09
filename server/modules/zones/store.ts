import { type Kysely, sql } from 'kysely'
import type { NewZone, Zone } from './schema.ts'

type ZonesTable = {
  id: number
  title: string
  description: string | null
  boundary: Zone['boundary']
  user_id: string | null
  created_at: string
  updated_at: string
}
export type ZoneTables = { zones: ZonesTable }

const zoneColumns = [
  'id',
  'title',
  'description',
  'boundary',
  'user_id as userId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const json = <T>(value: T | null | undefined) => sql<T>`${value == null ? null : JSON.stringify(value)}::jsonb`
const now = sql<string>`clock_timestamp()`

/** Zones, in SQL. */
export function zoneStore(db: Kysely<ZoneTables>) {
  return {
    insert: (zone: NewZone, userId: string): Promise<Zone> =>
      db
        .insertInto('zones')
        .values({
          title: zone.title,
          description: zone.description ?? null,
          boundary: json(zone.boundary),
          user_id: userId,
          created_at: now,
          updated_at: now,
        } as never)
        .returning(zoneColumns)
        .executeTakeFirstOrThrow(),

    get: (id: number): Promise<Zone | undefined> =>
      db.selectFrom('zones').select(zoneColumns).where('id', '=', id).executeTakeFirst(),

    list: (): Promise<Zone[]> =>
      db.selectFrom('zones').select(zoneColumns).orderBy('created_at').orderBy('id').limit(10_000).execute(),
  }
}
export type ZoneStore = ReturnType<typeof zoneStore>
