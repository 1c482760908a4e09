import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { PointCollection } from './collections.ts'
import { type PackedPoints, unpacked } from './points/packed-points.ts'

/** A point as it is stored. */
export type StoredPoint = { id: string; latitude: number; longitude: number }
/** The properties of a point; `id` as in StoredPoint, `featureId` the number of the feature. */
export type PointRow = { id: string; featureId: string | null; properties: Record<string, string | number | null> }
/** A zone near a tile: its extent in degrees, and the positions of its boundary. */
export type ZoneNear = {
  id: number
  title: string
  west: number
  south: number
  east: number
  north: number
  positions: number
}

type Sql = RawBuilder<unknown>
type Source = {
  from: Sql
  id: Sql
  type: 'bigint' | 'uuid'
  latitude: Sql
  longitude: Sql
  always: Sql
  featureId: Sql
  properties: Sql
}

const place = { id: sql`p.id`, type: 'bigint' as const, latitude: sql`p.latitude`, longitude: sql`p.longitude` }

/** Points are those of the collection's features; a ground control point is where its pin is, and has the pin's id here. */
const sources: Record<PointCollection, Source> = {
  pins: {
    ...place,
    from: sql`pins p`,
    always: sql`p.visibility = 'public' and p.place is not null`,
    featureId: sql`p.id`,
    properties: sql`json_build_object('title', p.title, 'contentType', p.content_type, 'gcpId', p.gcp_id)`,
  },
  gcps: {
    ...place,
    from: sql`pins p join gcps g on g.id = p.gcp_id`,
    always: sql`p.gcp_id is not null and p.place is not null`,
    featureId: sql`g.id`,
    properties: sql`json_build_object('title', g.title, 'gcpType', g.gcp_type, 'aprilTagId', g.april_tag_id)`,
  },
  scans: {
    from: sql`scans s`,
    id: sql`s.id`,
    type: 'uuid',
    latitude: sql`s.lat`,
    longitude: sql`s.long`,
    always: sql`s.visibility = 'public' and s.status = 'COMPLETED' and s.lat is not null`,
    featureId: sql`null`,
    properties: sql`json_build_object('scanId', s.id, 'title', s.title, 'category', s.category, 'fileType', s.file_type)`,
  },
}

export type TileStore = ReturnType<typeof tileStore>

/** What tiles are made of, in SQL. Reads the primary, so that a tile has what the change feed reports. */
export function tileStore(db: Kysely<AnyTables>) {
  const points = async ({ from, id, latitude, longitude, always }: Source, which: Sql): Promise<StoredPoint[]> => {
    const { rows } = await sql<StoredPoint>`
      select ${id}::text as id, ${latitude} as latitude, ${longitude} as longitude
        from ${from} where ${always} and ${which}`.execute(db)
    return rows
  }

  return {
    /** The next points, in the order of their ids, as one value: the driver makes no row of each. @param after undefined for the first */
    async pageAfter(collection: PointCollection, after: string | undefined, limit: number): Promise<PackedPoints> {
      const { from, id, type, latitude, longitude, always } = sources[collection]
      const later = after === undefined ? sql`true` : sql`${id} > ${after}::${sql.raw(type)}`
      const packedId = type === 'bigint' ? sql`float8send(id::float8)` : sql`uuid_send(id)`
      const { rows } = await sql<{ points: string | null }>`
        select encode(string_agg(${packedId} || float8send(latitude) || float8send(longitude), '' order by id), 'base64') as points
          from (select ${id} as id, ${latitude}::float8 as latitude, ${longitude}::float8 as longitude
                  from ${from} where ${always} and ${later} order by ${id} limit ${limit}) as page`.execute(db)
      return unpacked(Buffer.from(rows[0]!.points ?? '', 'base64'), type)
    },

    /** Those of these points that exist and are shown. */
    byIds(collection: PointCollection, ids: string[]): Promise<StoredPoint[]> {
      const source = sources[collection]
      return points(source, sql`${source.id} = any(${ids}::${sql.raw(source.type)}[])`)
    },

    /** What features of these points show. */
    async properties(collection: PointCollection, ids: string[]): Promise<PointRow[]> {
      const { from, id, type, always, featureId, properties } = sources[collection]
      const { rows } = await sql<PointRow>`
        select ${id}::text as id, ${featureId}::text as "featureId", ${properties} as properties
          from ${from} where ${always} and ${id} = any(${ids}::${sql.raw(type)}[])`.execute(db)
      return rows
    },

    /** The zones whose extent intersects a box in degrees, the largest first. */
    async zonesIn([west, south, east, north]: number[], limit: number): Promise<ZoneNear[]> {
      const { rows } = await sql<ZoneNear>`
        select id, title, ((extent)[1])[0] as west, ((extent)[1])[1] as south, ((extent)[0])[0] as east, ((extent)[0])[1] as north,
               coalesce(positions, octet_length(outline) / 16, pg_column_size(boundary) / 8) as positions
          from zones where extent && box(point(${west}, ${south}), point(${east}, ${north}))
         order by area(extent) desc, id limit ${limit}`.execute(db)
      return rows
    },

    /** The boundaries of zones, as JSON. */
    async boundaries(ids: number[]): Promise<Map<number, string>> {
      const { rows } = await sql<{ id: number; boundary: string }>`
        select id, boundary::text as boundary from zones where id = any(${ids}::bigint[]) and boundary is not null`.execute(
        db,
      )
      return new Map(rows.map(({ id, boundary }) => [id, boundary]))
    },
  }
}
