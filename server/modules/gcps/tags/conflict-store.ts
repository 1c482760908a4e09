import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { CHORD_MARGIN_METRES } from '../../places/geodesy.ts'
import { gcpPinsNear } from '../../places/near-pins.ts'
import { preferSpatialIndex } from '../../places/planner-hints.ts'

/** A part of the map in degrees, with the box in space that holds it. */
export type MapPart = {
  west: number
  south: number
  east: number
  north: number
  space: { low: number[]; high: number[] }
}
/** Where at least one GCP of a pair is. */
export type ConflictScope = { parts: MapPart[] | undefined; zoneId: number | undefined }

/** The IDs of two GCPs with the same tag, and the distance between them. */
export type ConflictPair = { one: number; other: number; aprilTagId: number; metres: number }

type Sql = RawBuilder<unknown>

/** About a town: it has fewer pins than the earth has tagged GCPs. */
const SMALL_DEGREES = 1

export type ConflictStore = ReturnType<typeof conflictStore>

/** Pairs of GCPs with the same AprilTag that are too close to each other, in SQL. @param metres the conflict distance */
export function conflictStore(db: Kysely<AnyTables>, metres: number) {
  const isTooClose = sql`d.metres <= ${metres}::float8`

  return {
    /**
     * The pairs with at least one GCP in scope: each once, the GCP in scope first, at most `limit`. Space is divided into
     * cubes as wide as the conflict distance, so conflicting GCPs are in the same or adjacent cubes; a hash join on tag and
     * cube finds them. Searching the spatial index around each GCP takes ten times as long. The limit is a subquery, which
     * hides it from the planner: the plan for the first few rows is as slow if there are none.
     */
    async pairs({ parts, zoneId }: ConflictScope, limit: number): Promise<ConflictPair[]> {
      const width = metres + CHORD_MARGIN_METRES
      const along = (axis: number) => sql.raw(`floor(cube_ll_coord(p.place, ${axis}) / ${width})::bigint`)
      const { rows } = await sql<ConflictPair>`
        with placed as materialized (
          select g.id, g.april_tag_id::int as tag, p.place, ${inScope(parts, zoneId)} as is_inside,
                 ${along(1)} as x, ${along(2)} as y, ${along(3)} as z
            from ${parts ? near(parts, width) : sql`gcps g join pins p on p.gcp_id = g.id`}
           where g.april_tag_id is not null and p.place is not null),
        sought as (
          select o.*, ${cellOf(sql`x + i`, sql`y + j`, sql`z + k`)} as cell
            from placed o, generate_series(-1, 1) i, generate_series(-1, 1) j, generate_series(-1, 1) k where o.is_inside),
        kept as (select o.*, ${cellOf(sql`x`, sql`y`, sql`z`)} as cell from placed o)
        select a.id as one, b.id as other, a.tag as "aprilTagId", d.metres
          from sought a join kept b on b.cell = a.cell and b.tag = a.tag and b.id <> a.id
         cross join lateral metres_between(b.place, ${middle(1)}, ${middle(2)}, ${middle(3)}) d
         where (a.id < b.id or not b.is_inside) and ${isTooClose}
         limit (select ${limit}::int)`.execute(db)
      return rows
    },

    /** The box in degrees around the tagged GCPs of a zone; undefined if none has a location. */
    async extentOf(zoneId: number): Promise<Omit<MapPart, 'space'> | undefined> {
      const { rows } = await sql<Omit<MapPart, 'space'> & { west: number | null }>`
        select min(p.longitude) as west, min(p.latitude) as south, max(p.longitude) as east, max(p.latitude) as north
          from gcps g join pins p on p.gcp_id = g.id
         where g.zone_id = ${zoneId}::bigint and g.april_tag_id is not null`.execute(db)
      const { west, ...others } = rows[0]!
      return west === null ? undefined : { west, ...others }
    },

    /** For each of these GCPs, the tags in use within the conflict distance, and by points of its zone without a location. */
    async tagsAround(gcpIds: number[]): Promise<Map<number, number[]>> {
      const end = preferSpatialIndex(metres)
      const { rows } = await sql<{ id: number; used: number[] }>`
        select w.id, array(
            select g.april_tag_id::int
              from ${gcpPinsNear(sql`w.point`, metres)} n
             cross join lateral (select * from gcps g where g.id = n.gcp_id and g.april_tag_id is not null ${end}) g
             cross join lateral metres_between(
               n.place, cube_ll_coord(w.point, 1), cube_ll_coord(w.point, 2), cube_ll_coord(w.point, 3)) d
             where ${isTooClose}
             union
            select g.april_tag_id::int from gcps g
             cross join lateral (select place from pins where gcp_id = g.id offset 0) q
             where g.zone_id = w.zone_id and g.april_tag_id is not null and q.place is null) as used
          from (
            select g.id, g.zone_id, ecef(p.latitude, p.longitude) as point
              from gcps g join pins p on p.gcp_id = g.id where g.id = any (${gcpIds}::bigint[]) offset 0) w`.execute(db)
      return new Map(rows.map(({ id, used }) => [id, used]))
    },
  }
}

/** One number for a tag and a cube: PostgreSQL uses a hash join for it. The distance excludes collisions. */
const cellOf = (x: Sql, y: Sql, z: Sql): Sql =>
  sql`hashint8extended(${x}, hashint8extended(${y}, hashint8extended(${z}, tag)))`

/** The middle of a pin's place, along one axis. */
const middle = (axis: 1 | 2 | 3): Sql =>
  sql.raw(`(cube_ll_coord(a.place, ${axis}) + cube_ur_coord(a.place, ${axis})) / 2`)

/** GCPs in one of the parts, or within the distance of it. In small parts `offset 0` makes PostgreSQL find the pins first and then their GCPs by id: it assumes that any box contains a thousandth of the pins. */
function near(parts: MapPart[], metres: number): Sql {
  const each = parts.map(
    ({ space }) =>
      sql`place && cube_enlarge(cube(${space.low}::float8[], ${space.high}::float8[]), ${metres}::float8, 3)`,
  )
  const areSmall = parts.every(({ west, south, east, north }) => Math.max(east - west, north - south) <= SMALL_DEGREES)
  const placed = (fence: Sql) =>
    sql`(select gcp_id, place, longitude, latitude from pins where gcp_id is not null and (${orFalse(each)}) ${fence}) p`
  return areSmall
    ? sql`${placed(sql`offset 0`)} cross join lateral (select * from gcps where id = p.gcp_id offset 0) g`
    : sql`${placed(sql``)} join gcps g on g.id = p.gcp_id`
}

function inScope(parts: MapPart[] | undefined, zoneId: number | undefined): Sql {
  const inZone = zoneId === undefined ? sql`true` : sql`g.zone_id is not distinct from ${zoneId}::bigint`
  if (!parts) return inZone
  const each = parts.map(
    ({ west, south, east, north }) =>
      sql`(p.longitude between ${west}::float8 and ${east}::float8 and p.latitude between ${south}::float8 and ${north}::float8)`,
  )
  return sql`(${inZone} and (${orFalse(each)}))`
}

const orFalse = (conditions: Sql[]): Sql => (conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`false`)
