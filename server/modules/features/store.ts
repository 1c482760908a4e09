import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { Bbox } from './box.ts'
import type { Interval } from './moments.ts'
import type { CollectionId, Feature } from './schema.ts'

type Condition = RawBuilder<unknown>

/** Which features are wanted. */
export type Wanted = {
  bbox: Bbox | undefined
  interval: Interval | undefined
  /** By property; those that are not named do not matter. */
  filters: Record<string, unknown>
}

export type FeatureRow = Pick<Feature, 'id' | 'geometry' | 'properties'>

const json = (members: Condition) => sql`json_build_object(${members})`
const height = sql`(p.geo_pose #>> '{position,h}')::float8`
const point = sql`case when p.place is not null then json_build_object('type', 'Point', 'coordinates', case
  when ${height} is null then json_build_array(p.longitude, p.latitude)
  else json_build_array(p.longitude, p.latitude, ${height}) end) end`
const angles = sql`'yaw', p.geo_pose #> '{angles,yaw}', 'pitch', p.geo_pose #> '{angles,pitch}', 'roll', p.geo_pose #> '{angles,roll}'`
const moment = (column: Condition) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Where the features of a collection are kept, and what is shown of them. */
const tables: Record<
  CollectionId,
  {
    from: Condition
    id: Condition
    createdAt: Condition
    geometry: Condition
    properties: Condition
    always: Condition
    filters: Record<string, Condition>
    /** Filters that an index answers. */
    indexed: string[]
  }
> = {
  pins: {
    from: sql`pins p`,
    id: sql`p.id`,
    createdAt: sql`p.created_at`,
    geometry: point,
    properties: json(sql`'title', p.title, 'contentType', p.content_type, 'contentUrl', p.content_url,
      'trackingMode', p.localization_data -> 'trackingMode', 'worldmapURL', p.localization_data -> 'worldmapURL', ${angles},
      'zoneId', p.zone_id, 'gcpId', p.gcp_id, 'userId', p.user_id, 'relocalizationPhotoUrl', p.relocalization_photo_url,
      'scanInstructions', p.scan_instructions, 'createdAt', ${moment(sql`p.created_at`)}, 'updatedAt', ${moment(sql`p.updated_at`)}`),
    always: sql`p.visibility = 'public' and p.place is not null`,
    filters: {
      title: sql`p.title`,
      contentType: sql`p.content_type`,
      zoneId: sql`p.zone_id`,
      gcpId: sql`p.gcp_id`,
    },
    indexed: ['zoneId', 'gcpId'],
  },
  gcps: {
    from: sql`gcps g join pins p on p.gcp_id = g.id left join zones z on z.id = g.zone_id`,
    id: sql`g.id`,
    createdAt: sql`g.created_at`,
    geometry: point,
    properties:
      json(sql`'title', g.title, 'description', g.description, 'gcpType', g.gcp_type, 'aprilTagId', g.april_tag_id,
      'altitude', g.altitude, 'accuracyH', g.survey -> 'accuracyH', 'accuracyV', g.survey -> 'accuracyV',
      'heightDatum', g.survey -> 'verticalDatum', ${angles}, 'photoUrls', g.photo_urls, 'zoneId', g.zone_id, 'zoneTitle', z.title,
      'userId', g.user_id, 'createdAt', ${moment(sql`g.created_at`)}, 'updatedAt', ${moment(sql`g.updated_at`)}`),
    always: sql`true`,
    filters: {
      title: sql`g.title`,
      gcpType: sql`g.gcp_type`,
      aprilTagId: sql`g.april_tag_id`,
      zoneId: sql`g.zone_id`,
    },
    indexed: ['zoneId', 'aprilTagId'],
  },
  zones: {
    from: sql`zones z`,
    id: sql`z.id`,
    createdAt: sql`z.created_at`,
    geometry: sql`z.boundary`,
    properties: json(sql`'title', z.title, 'description', z.description, 'userId', z.user_id,
      'createdAt', ${moment(sql`z.created_at`)}, 'updatedAt', ${moment(sql`z.updated_at`)}`),
    always: sql`true`,
    filters: { title: sql`z.title` },
    indexed: [],
  },
}

/** Further than this nobody counts. */
const MOST_COUNTED = 5000

export type FeatureStore = ReturnType<typeof featureStore>

/** Features of all collections, in SQL: in the order of their ids, so that a page goes on after the last id shown. */
export function featureStore(db: Kysely<AnyTables>) {
  const conditions = (collection: CollectionId, { bbox, interval, filters }: Wanted, byIndex: boolean): Condition => {
    const { always, filters: columns, createdAt } = tables[collection]
    const all = [always]
    if (bbox) all.push(collection === 'zones' ? near(bbox) : within(bbox, byIndex))
    if (interval) all.push(created(createdAt, interval))
    for (const [name, value] of Object.entries(filters)) all.push(sql`${columns[name]!} = ${value}`)
    return sql.join(all, sql` and `)
  }

  const rows = async (
    collection: CollectionId,
    { where, after, limit, fence }: { where: Condition; after: number; limit: number; fence: boolean },
  ): Promise<FeatureRow[]> => {
    const { from, id, geometry, properties } = tables[collection]
    const found = sql`select ${id} as id, ${geometry} as geometry, ${properties} as properties from ${from} where ${where} and ${id} > ${after}`
    // Behind `offset 0` the index of places is used first, and what it finds is sorted.
    const { rows } = fence
      ? await sql<FeatureRow>`select * from (${found} offset 0) as found order by id limit ${limit}`.execute(db)
      : await sql<FeatureRow>`${found} order by ${id} limit ${limit}`.execute(db)
    return rows
  }

  return {
    /**
     * How many features there are, up to 5,000: undefined when there are more, or when finding out would mean to look
     * at all there are.
     */
    async count(collection: CollectionId, wanted: Wanted): Promise<number | undefined> {
      const { from, indexed } = tables[collection]
      const named = Object.keys(wanted.filters)
      const free = named.length === 0 && !wanted.interval
      if (!free && !wanted.bbox && !named.some((name) => indexed.includes(name))) return undefined
      const where = conditions(collection, wanted, true)
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (select from ${from} where ${where} limit ${MOST_COUNTED + 1}) as found`.execute(
        db,
      )
      const { count } = rows[0]!
      return count > MOST_COUNTED ? undefined : count
    },

    /** Features after an id. @param few whether the place alone leaves few: then its index is asked, else the ids are gone through. */
    page: (
      collection: CollectionId,
      wanted: Wanted,
      { after, limit, few }: { after: number; limit: number; few: boolean },
    ): Promise<FeatureRow[]> => {
      const fence = few && wanted.bbox !== undefined && collection !== 'zones'
      return rows(collection, { where: conditions(collection, wanted, fence), after, limit, fence })
    },

    async get(collection: CollectionId, id: number): Promise<FeatureRow | undefined> {
      const { always, id: column } = tables[collection]
      const [row] = await rows(collection, {
        where: sql`${always} and ${column} = ${id}`,
        after: 0,
        limit: 1,
        fence: false,
      })
      return row
    },
  }
}

/** Whether a pin lies in one of the parts of the map, and, if it has a height, between the heights. */
function within({ parts, heights }: Bbox, byIndex: boolean): Condition {
  if (parts.length === 0) return sql`false`
  const inParts = parts.map(({ west, south, east, north, space }) => {
    const flat = sql`p.longitude between ${west}::float8 and ${east}::float8 and p.latitude between ${south}::float8 and ${north}::float8`
    if (!byIndex) return sql`(${flat})`
    return sql`(p.place && cube(${space.low}::float8[], ${space.high}::float8[]) and ${flat})`
  })
  const flat = sql`(${sql.join(inParts, sql` or `)})`
  if (!heights) return flat
  return sql`${flat} and (${height} is null or ${height} between ${heights.lowest}::float8 and ${heights.highest}::float8)`
}

/** Whether the box around a zone's boundary meets one of the parts: what the boundary itself does is decided outside. */
function near({ parts }: Bbox): Condition {
  if (parts.length === 0) return sql`false`
  const each = parts.map(
    ({ west, south, east, north }) =>
      sql`z.extent && box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`,
  )
  return sql`(${sql.join(each, sql` or `)})`
}

/** Moments are shown to the millisecond, and compared so. */
function created(column: Condition, { from, to }: Interval): Condition {
  const bounds: Condition[] = []
  if (from !== undefined) bounds.push(sql`${column} >= ${from}::timestamptz`)
  if (to !== undefined) bounds.push(sql`${column} < ${to}::timestamptz + interval '1 millisecond'`)
  return bounds.length > 0 ? sql.join(bounds, sql` and `) : sql`true`
}
