import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { gcpPinsNear } from '../places/near-pins.ts'
import type { TagPose } from './pose/tag-plane.ts'
import type { Near } from './schema.ts'

/** A surveyed point that carries a tag; accuracies in metres, if the survey states them; size and pose of the tag, if known. */
export type SurveyedTag = {
  gcpId: number
  aprilTagId: number
  lat: number
  lon: number
  h: number
  accuracyH: number | null
  accuracyV: number | null
  tagSize: number | null
  tagPose: TagPose | null
}

export type LocalizationStore = ReturnType<typeof localizationStore>

/** Reads surveyed tags, in SQL. */
export function localizationStore(db: Kysely<AnyTables>) {
  return {
    /**
     * The points with a height within an area that carry one of these tags, up to a limit. @param appId selects the
     * points of its developers, admins and owner
     */
    async tagsNear(
      tagIds: number[],
      { lat, lon, radius }: Near,
      appId: string | undefined,
      limit: number,
    ): Promise<SurveyedTag[]> {
      const { rows } = await sql<SurveyedTag>`
        select g.id as "gcpId", g.april_tag_id::int as "aprilTagId", p.latitude as lat, p.longitude as lon,
               (p.geo_pose #>> '{position,h}')::float8 as h, (g.survey ->> 'accuracyH')::float8 as "accuracyH",
               (g.survey ->> 'accuracyV')::float8 as "accuracyV",
               g.tag_size as "tagSize", g.tag_pose as "tagPose"
          from ${gcpPinsNear(sql`ecef(${lat}::float8, ${lon}::float8)`, radius)} n
          join gcps g on g.id = n.gcp_id join pins p on p.gcp_id = g.id
         where g.april_tag_id = any (${tagIds}::int[]) and p.geo_pose is not null
               ${appId === undefined ? sql`` : sql`and g.user_id in (select app_developers(${appId}::uuid))`}
         order by g.id limit ${limit}`.execute(reading(db))
      return rows
    },
  }
}
