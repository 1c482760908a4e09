import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { reading } from '../../../platform/database/write-tracking.ts'
import { gcpPinsNear } from '../../places/near-pins.ts'
import { preferSpatialIndex } from '../../places/planner-hints.ts'
import type { TaggedGcp } from './april-tags.ts'
import { MAX_TAG } from './schema.ts'

/** Where to look for bearers: around a point within metres, in a zone (null: none), or everywhere. */
export type TagScope = {
  point: { latitude: number; longitude: number; metres: number } | null
  zoneId: number | null
}

export type TagStore = ReturnType<typeof tagStore>

/** Reads the GCPs that carry AprilTags, in SQL. */
export function tagStore(db: Kysely<AnyTables>) {
  return {
    bearers: (tag: number | null, scope: TagScope | null): Promise<TaggedGcp[]> => gcpsWithTag(db, tag, scope),

    /** Every tag that a GCP carries, ignoring one GCP. */
    async usedTags(exceptGcpId: number | null): Promise<number[]> {
      const { rows } = await sql<{ tag: number }>`
        select tag from generate_series(0, ${MAX_TAG}::int) as tag
         where exists (select from gcps where april_tag_id = tag and id is distinct from ${exceptGcpId}::bigint)`.execute(
        reading(db),
      )
      return rows.map(({ tag }) => tag)
    },

    /** The zone of a GCP. @returns undefined if the GCP does not exist */
    async zoneOf(gcpId: number): Promise<{ zoneId: number | null } | undefined> {
      const { rows } = await sql<{ zoneId: number | null }>`
        select zone_id as "zoneId" from gcps where id = ${gcpId}`.execute(reading(db))
      return rows[0]
    },
  }
}

/**
 * The GCPs in scope that carry a tag (null: any tag). With a point: candidates around it, and those of the zone without a
 * location; without a point: those of the zone; without a scope: all. Each part can use an index of its own.
 */
export async function gcpsWithTag(
  db: Kysely<AnyTables>,
  tag: number | null,
  scope: TagScope | null,
): Promise<TaggedGcp[]> {
  const carries = tag === null ? sql`g.april_tag_id is not null` : sql`g.april_tag_id = ${tag}::smallint`
  const shown = sql`g.id as "gcpId", g.title, g.april_tag_id as "aprilTagId", g.zone_id as "zoneId", z.title as "zoneTitle", p.latitude, p.longitude`
  const select = sql`
    select ${shown} from gcps g join pins p on p.gcp_id = g.id left join zones z on z.id = g.zone_id where ${carries}`
  const inZone = sql`g.zone_id = ${scope?.zoneId ?? null}::bigint`
  const near = ({ latitude, longitude, metres }: NonNullable<TagScope['point']>) => {
    const end = preferSpatialIndex(metres)
    return sql`
    select ${shown} from ${gcpPinsNear(sql`ecef(${latitude}::float8, ${longitude}::float8)`, metres)} p
     cross join lateral (select * from gcps g where g.id = p.gcp_id and ${carries} ${end}) g
      left join lateral (select title from zones where id = g.zone_id ${end}) z on true`
  }
  // Without the inner `offset 0` PostgreSQL would scan the whole spatial index for points without a location.
  const withoutPlace = sql`
    select ${shown} from gcps g cross join lateral (select * from pins where gcp_id = g.id offset 0) p
      left join zones z on z.id = g.zone_id where ${carries} and ${inZone} and p.place is null`
  const { point } = scope ?? {}
  const around = point ? sql`${near(point)} union all ${withoutPlace}` : scope ? sql`${select} and ${inZone}` : select
  const { rows } = await sql<TaggedGcp>`${around} order by "gcpId" limit 10000`.execute(reading(db))
  return rows
}
