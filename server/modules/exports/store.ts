import { AsyncLocalStorage } from 'node:async_hooks'
import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import type { TaggedPoint } from './other-photos.ts'
import type { ExportedGcp } from './schema.ts'

/** Rows per read, so that memory is bounded however large a zone is. */
const BATCH = 1000
const POSITIONS = 10_000

type Position = Pick<ExportedGcp, 'title' | 'latitude' | 'longitude'>

export type ExportStore = ReturnType<typeof exportStore>

/** Reads exported points, in SQL. */
export function exportStore(db: Kysely<AnyTables>, ownUrls: OwnUrls) {
  /** @param forWhomItWasAsked restores the context of the request: a stream reads outside of it */
  async function* batches(
    zoneId: number,
    forWhomItWasAsked: <T>(read: () => T) => T,
  ): AsyncGenerator<ExportedGcp[], void, undefined> {
    let after: { at: string; id: number } | undefined
    for (;;) {
      const asked = sql<ExportedGcp & { cursorAt: string }>`
        select g.id, g.title, g.description, g.gcp_type as "gcpType", g.april_tag_id as "aprilTagId",
               g.tag_size as "tagSize", g.tag_pose as "tagPose", g.gcp_data as "gcpData",
               g.photo_urls as "photoUrls", p.latitude, p.longitude, (p.geo_pose #>> '{position,h}')::float8 as h, g.altitude,
               (p.geo_pose #>> '{angles,yaw}')::float8 as yaw, (p.geo_pose #>> '{angles,pitch}')::float8 as pitch,
               (p.geo_pose #>> '{angles,roll}')::float8 as roll, (g.survey ->> 'accuracyH')::float8 as "accuracyH",
               (g.survey ->> 'accuracyV')::float8 as "accuracyV", g.survey ->> 'verticalDatum' as "heightDatum",
               g.survey #>> '{heightTransformation,operation}' as "heightOperation",
               (g.survey #>> '{heightTransformation,accuracy}')::float8 as "heightAccuracy",
               g.created_at as "createdAt", g.updated_at as "updatedAt", g.created_at::text as "cursorAt"
          from gcps g join pins p on p.gcp_id = g.id
         where g.zone_id = ${zoneId} and (g.created_at, g.id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.id ?? 0}::bigint)
         order by g.created_at, g.id limit ${BATCH}`
      const { rows } = await forWhomItWasAsked(() => asked.execute(db))
      const last = rows.at(-1)
      if (!last) return
      yield rows.map(({ cursorAt, ...gcp }) => ({ ...gcp, photoUrls: ownUrls.allWritten(gcp.photoUrls) }))
      if (rows.length < BATCH) return
      after = { at: last.cursorAt, id: last.id }
    }
  }

  /** The rows of a zone by ID, in batches. */
  async function* byId<Row extends { id: number }>(
    read: (after: number, limit: number) => Promise<{ rows: Row[] }>,
    limit: number,
    forWhomItWasAsked: <T>(read: () => T) => T,
  ): AsyncGenerator<Row[], void, undefined> {
    for (let after = 0; ; ) {
      const { rows } = await forWhomItWasAsked(() => read(after, limit))
      if (rows.length > 0) yield rows
      if (rows.length < limit) return
      after = rows.at(-1)!.id
    }
  }

  return {
    /** The positions of a zone's points, in batches. */
    positionsOf: (zoneId: number) =>
      byId(
        (after, limit) =>
          sql<Position & { id: number }>`
            select g.id, g.title, p.latitude, p.longitude from gcps g join pins p on p.gcp_id = g.id
             where g.zone_id = ${zoneId} and g.id > ${after}::bigint order by g.id limit ${limit}`.execute(db),
        POSITIONS,
        AsyncLocalStorage.snapshot(),
      ),

    /** The points of a zone that carry a tag, in batches. */
    taggedPointsOf: (zoneId: number) =>
      byId(
        (after, limit) =>
          sql<TaggedPoint>`
            select id, april_tag_id::int as "aprilTagId", photo_urls <> '{}' as "hasPhotos" from gcps
             where zone_id = ${zoneId} and april_tag_id is not null and id > ${after}::bigint
             order by id limit ${limit}`.execute(db),
        BATCH,
        AsyncLocalStorage.snapshot(),
      ),

    /**
     * The points of a zone, oldest first, in batches. No connection is held between batches, so a slow reader does not
     * affect others.
     */
    gcpsOf: (zoneId: number) => batches(zoneId, AsyncLocalStorage.snapshot()),
  }
}
