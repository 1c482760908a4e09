import { sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { gcpPinsNear } from '../../places/near-pins.ts'
import { preferSpatialIndex } from '../../places/planner-hints.ts'
import { type Rows, rowsOf } from './import-points-store.ts'

/** The existing points of the zone with titles of the batch: by row, how many rows match, and the tags they have. */
export type Existing = { ids: string | null; found: number; tags: number[] }

/** A row with a tag, from the file or from its existing point (`own`). */
export type TaggedRow = {
  row: number
  line: number
  title: string
  tag: number
  latitude: number
  longitude: number
  own: number | null
}

/** A GCP with a tag near one of the rows, or in the zone without a position. */
export type NearbyTaggedGcp = {
  row: number | null
  gcpId: number
  title: string
  tag: number
  latitude: number | null
  longitude: number | null
}

/** Locks the points with the titles of the batch. If several have one title, the oldest is used. */
export async function lockExisting(
  trx: Transaction<AnyTables>,
  { zoneId, columns, points }: Pick<Rows, 'columns' | 'points'> & { zoneId: number },
): Promise<Existing> {
  const none = { ids: null, found: 0, tags: [] }
  if (points === 0) return none
  const { rows } = await sql<Omit<Existing, 'tags'> & { tags: number[] | null }>`
    with keys as materialized (select key, place from unnest(${columns.key}::text[]) with ordinality as k (key, place)),
    locked as materialized (
      select id, title_key, april_tag_id from gcps
       where zone_id = ${zoneId} and title_key = any (array(select key from keys)) order by id for update),
    oldest as (select distinct on (title_key) title_key, id from locked order by title_key, id)
    select array_agg(o.id order by k.place)::text as ids, count(o.id) as found,
           (select array_agg(distinct april_tag_id) from locked where april_tag_id is not null) as tags
      from keys k left join oldest o on o.title_key = k.key
    having count(o.id) > 0`.execute(trx)
  return rows[0] ? { ...rows[0], tags: rows[0].tags ?? [] } : none
}

/** The rows of a batch with tags. A row without one keeps the tag of its point. */
export async function taggedRows(trx: Transaction<AnyTables>, batch: Rows, { ids }: Existing): Promise<TaggedRow[]> {
  const { rows } = await sql<TaggedRow>`
    select r."row", r.line, r.title, coalesce(r.tag, g.april_tag_id) as tag, r.latitude, r.longitude, r.id as own
      from ${rowsOf({ ...batch, ids })} left join gcps g on g.id = r.id
     where r.tag is not null or g.april_tag_id is not null order by r."row"`.execute(trx)
  return rows
}

/**
 * GCPs with one of the tags within metres of its row, or without a position. `offset 0` reads the GCPs first: a search
 * in the spatial index for missing positions would scan it.
 */
export async function nearbyTaggedGcps(
  trx: Transaction<AnyTables>,
  zoneId: number,
  tagged: TaggedRow[],
  metres: number,
): Promise<NearbyTaggedGcp[]> {
  if (tagged.length === 0) return []
  const tags = tagged.map(({ tag }) => tag)
  const end = preferSpatialIndex(metres)
  const { rows } = await sql<NearbyTaggedGcp>`
    select t.row, g.id as "gcpId", g.title, g.april_tag_id as tag, p.latitude, p.longitude
      from unnest(${tagged.map(({ row }) => row)}::int[], ${tags}::smallint[],
                  ${tagged.map(({ latitude }) => latitude)}::float8[], ${tagged.map(({ longitude }) => longitude)}::float8[]
           ) as t (row, tag, latitude, longitude)
     cross join lateral ${gcpPinsNear(sql`ecef(t.latitude, t.longitude)`, metres)} p
     cross join lateral (select * from gcps where id = p.gcp_id and april_tag_id = t.tag ${end}) g
    union all
    select null, g.id, g.title, g.april_tag_id, null, null
      from gcps g cross join lateral (select place from pins where gcp_id = g.id offset 0) p
     where g.zone_id = ${zoneId} and g.april_tag_id = any(${tags}::smallint[]) and p.place is null`.execute(trx)
  return rows
}
