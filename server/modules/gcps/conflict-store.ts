import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'

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

/** Two GCPs, by their ids, that carry the same tag, and how many metres they are apart. */
export type ConflictPair = { one: number; other: number; aprilTagId: number; metres: number }

type Sql = RawBuilder<unknown>

/** Up to so far a place has fewer pins around it than a tag has bearers on the whole earth. */
const FEW_METRES = 1000

export type ConflictStore = ReturnType<typeof conflictStore>

/** Pairs of GCPs that carry the same April tag too close to each other, in SQL. @param metres up to which two may not */
export function conflictStore(db: Kysely<AnyTables>, metres: number) {
  /** Pins of GCPs in a box in space that holds the circle around a row of `from`: asked of the index for each row. */
  const around = (from: string) => sql`(
    select q.gcp_id, q.place, q.longitude, q.latitude from pins q
     where q.place <@ cube_enlarge(${sql.ref(`${from}.point`)}, ${metres + 0.05}::float8, 3) and q.gcp_id is not null
     ${metres <= FEW_METRES ? sql`offset 0` : sql``})`
  const apart = (from: string) =>
    sql.raw(
      `metres_between(n.place, cube_ll_coord(${from}.point, 1), cube_ll_coord(${from}.point, 2), cube_ll_coord(${from}.point, 3))`,
    )

  return {
    /** Those of which at least one is in scope: each once, the GCP that is in scope first, at most `limit`. */
    async pairs({ parts, zoneId }: ConflictScope, limit: number): Promise<ConflictPair[]> {
      const inScope = (gcp: string, pin: string) =>
        sql.join([...(parts ? [within(parts, pin)] : []), inZone(zoneId, gcp)], sql` and `)
      const byIndex = parts
        ? sql`and (${orFalse(parts.map(({ space }) => sql`p.place && cube(${space.low}::float8[], ${space.high}::float8[])`))})`
        : sql``
      const { rows } = await sql<ConflictPair>`
        select a.id as one, b.id as other, a.april_tag_id as "aprilTagId", d.metres
          from (
            select g.id, g.april_tag_id, ecef(p.latitude, p.longitude) as point
              from gcps g join pins p on p.gcp_id = g.id
             where g.april_tag_id is not null and p.place is not null and ${inScope('g', 'p')} ${byIndex} offset 0) a
         cross join lateral ${around('a')} n
          join gcps b on b.id = n.gcp_id and b.april_tag_id = a.april_tag_id and b.id <> a.id
         cross join lateral ${apart('a')} d
         where d.metres <= ${metres}::float8 and (a.id < b.id or not (${inScope('b', 'n')}))
         limit ${limit}`.execute(db)
      return rows
    },

    /** Of these GCPs: the tags that are carried where they are, by those without a place in their zone too. */
    async tagsAround(gcpIds: number[]): Promise<Map<number, number[]>> {
      const { rows } = await sql<{ id: number; used: number[] }>`
        select w.id, array(
            select g.april_tag_id::int from ${around('w')} n join gcps g on g.id = n.gcp_id and g.april_tag_id is not null
             cross join lateral ${apart('w')} d where d.metres <= ${metres}::float8
             union
            select g.april_tag_id::int from gcps g join pins q on q.gcp_id = g.id
             where g.zone_id = w.zone_id and g.april_tag_id is not null and q.place is null) as used
          from (
            select g.id, g.zone_id, ecef(p.latitude, p.longitude) as point
              from gcps g join pins p on p.gcp_id = g.id where g.id = any (${gcpIds}::bigint[]) offset 0) w`.execute(db)
      return new Map(rows.map(({ id, used }) => [id, used]))
    },
  }
}

const inZone = (zoneId: number | undefined, gcp: string): Sql =>
  zoneId === undefined ? sql`true` : sql`${sql.ref(`${gcp}.zone_id`)} is not distinct from ${zoneId}::bigint`

const within = (parts: MapPart[], pin: string): Sql => {
  const [longitude, latitude] = [sql.ref(`${pin}.longitude`), sql.ref(`${pin}.latitude`)]
  const each = parts.map(
    ({ west, south, east, north }) =>
      sql`(${longitude} between ${west}::float8 and ${east}::float8 and ${latitude} between ${south}::float8 and ${north}::float8)`,
  )
  return sql`(${orFalse(each)})`
}

const orFalse = (conditions: Sql[]): Sql => (conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`false`)
