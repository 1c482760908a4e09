import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { containing } from '../../platform/database/query/patterns.ts'
import { countedRows, countUpTo } from '../../platform/database/row-counts.ts'
import { foldName } from '../../platform/names.ts'
import { MAX_COUNTED } from '../../platform/schema.ts'
import type { NamedPlace, PlaceNameQuery } from './schema.ts'

/** Zones whose points are looked up by their whole title. */
const ZONES = 10_000

/** Places by name, in SQL. */
export function placeNameStore(db: Kysely<AnyTables>) {
  /** Of few rows any part of the title matches, of many its beginning, which has an index. */
  const titled = (rows: number, search: string) =>
    rows < MAX_COUNTED
      ? sql`title ilike ${containing(search)}`
      : sql`from_word(lower(title), 1) collate "C" between from_word(lower(${search}), 1)
                                                       and from_word(lower(${search}), 1) || chr(1114111)`

  const pins = async (search: string, limit: number, viewerId: string | undefined) => {
    const rows = await countUpTo(db, sql`pins where gcp_id is null`)
    return sql<NamedPlace>`
      select 'pin' as kind, id, title, latitude, longitude from (
        select * from pins where gcp_id is null and ${titled(rows, search)}
         order by from_word(lower(title), 1) collate "C" limit ${MAX_COUNTED}) p
       where visibility = 'public' or (visibility = 'private' and user_id = ${viewerId ?? null})
       order by from_word(lower(title), 1) collate "C" limit ${limit}`.execute(db)
  }

  const zones = async (search: string, limit: number) => {
    const rows = await countedRows(db, 'zones')
    return sql<NamedPlace>`
      select 'zone' as kind, id, title, (center(extent))[1] as latitude, (center(extent))[0] as longitude from zones
       where ${titled(rows, search)} order by from_word(lower(title), 1) collate "C" limit ${limit}`.execute(db)
  }

  /** Of many points the whole title matches, along the index of a zone and a title. */
  const gcps = async (search: string, limit: number) => {
    const rows = await countedRows(db, 'gcps')
    const found =
      rows < MAX_COUNTED
        ? sql`select id, title from gcps where title ilike ${containing(search)} order by title, id limit ${limit}`
        : sql`select id, title from (
                (select id, title from gcps where zone_id is null and title_key = ${foldName(search)} limit ${limit})
                union all
                (select id, title from gcps
                  where zone_id = any(array(select id from zones order by created_at desc, id desc limit ${ZONES}))
                    and title_key = ${foldName(search)} limit ${limit})) f limit ${limit}`
    return sql<NamedPlace>`
      select 'gcp' as kind, g.id, g.title, p.latitude, p.longitude
        from (${found}) g left join pins p on p.gcp_id = g.id order by g.title, g.id`.execute(db)
  }

  return {
    /**
     * Places of each kind whose names match. Up to 10,000 pins, points or zones any part of a name matches, which reads them
     * all; beyond, the beginning of a pin's or zone's name and the whole name of a point, along an index.
     */
    find: async ({ search, limit }: PlaceNameQuery, viewerId: string | undefined): Promise<NamedPlace[]> => {
      const found = await Promise.all([pins(search, limit, viewerId), gcps(search, limit), zones(search, limit)])
      return found.flatMap(({ rows }) => rows)
    },
  }
}
export type PlaceNameStore = ReturnType<typeof placeNameStore>
