import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { TagConflict } from './schema.ts'

/** What a tag's bearer is, as the rule about tags wants it. */
export type Bearer = Omit<TagConflict, 'distance'>
/** Where to look for bearers: around a point within metres, in a zone (null: none), or everywhere. */
export type BearerScope = {
  point: { latitude: number; longitude: number; metres: number } | null
  zoneId: number | null
}

export type BearerStore = ReturnType<typeof bearerStore>

/** Who carries which April tag, in SQL. */
export function bearerStore(db: Kysely<AnyTables>) {
  return {
    bearers: (tag: number | null, scope: BearerScope | null): Promise<Bearer[]> => bearersOf(db, tag, scope),

    /** Every tag that is carried by some GCP, one of them left out. */
    async usedTags(exceptGcpId: number | null): Promise<number[]> {
      const { rows } = await sql<{ tag: number }>`
        select tag from generate_series(0, 50) as tag
         where exists (select from gcps where april_tag_id = tag and id is distinct from ${exceptGcpId}::bigint)`.execute(
        db,
      )
      return rows.map(({ tag }) => tag)
    },

    /** The zone that a GCP is in. @returns undefined when there is no such GCP */
    async zoneOf(gcpId: number): Promise<{ zoneId: number | null } | undefined> {
      const { rows } = await sql<{ zoneId: number | null }>`
        select zone_id as "zoneId" from gcps where id = ${gcpId}`.execute(db)
      return rows[0]
    },
  }
}

/** Up to so far a place has fewer pins around it than a tag has bearers on the whole earth. */
const FEW_METRES = 1000

/** Pins in a box in space that holds the circle. A close one is asked of the index first, whatever PostgreSQL expects of it (`offset 0`): it takes all boxes to hold a thousandth of the pins. */
function pinsAround({ latitude, longitude, metres }: NonNullable<BearerScope['point']>) {
  const inside = sql`place <@ cube_enlarge(ecef(${latitude}::float8, ${longitude}::float8), ${metres + 0.05}::float8, 3)`
  return sql`(select gcp_id, latitude, longitude from pins where ${inside} and gcp_id is not null ${metres <= FEW_METRES ? sql`offset 0` : sql``})`
}

/**
 * Who carries a tag (null: any) in scope: around the point by a box in space that holds the circle, and without a
 * place in the zone; without a point, in the zone; without a scope, anywhere. Each part can use an index of its own.
 */
export async function bearersOf(
  db: Kysely<AnyTables>,
  tag: number | null,
  scope: BearerScope | null,
): Promise<Bearer[]> {
  const carries = tag === null ? sql`g.april_tag_id is not null` : sql`g.april_tag_id = ${tag}::smallint`
  const from = (pins: ReturnType<typeof sql>) => sql`
    select g.id as "gcpId", g.title, g.april_tag_id as "aprilTagId", g.zone_id as "zoneId", z.title as "zoneTitle", p.latitude, p.longitude
      from gcps g join ${pins} p on p.gcp_id = g.id left join zones z on z.id = g.zone_id
     where ${carries}`
  const select = from(sql`pins`)
  const inZone = sql`g.zone_id = ${scope?.zoneId ?? null}::bigint`
  const { point } = scope ?? {}
  const around = point
    ? sql`${from(pinsAround(point))} union all ${select} and p.place is null and ${inZone}`
    : scope
      ? sql`${select} and ${inZone}`
      : select
  const { rows } = await sql<Bearer>`${around} order by "gcpId" limit 10000`.execute(db)
  return rows
}
