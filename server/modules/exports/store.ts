import { AsyncLocalStorage } from 'node:async_hooks'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { JsonRows } from '../../platform/database/bulk/bulk-reads.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { isoTimeOf } from '../../platform/records/columns.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import type { TaggedPoint } from './other-photos.ts'
import type { ExportedGcp } from './schema.ts'

/** Points per read, fewer if they reach these bytes, so that memory is bounded however large a zone is. */
const BATCH = 1000
const BATCH_BYTES = 4 * 2 ** 20
const POSITIONS = 10_000

/** Points as a JSON array of arrays, how many, the last of them, and whether more may follow. */
type Batch<Last> = { text: JsonRows | null; count: number; last: Last; isFull: boolean }
type Place = { at: string; id: number }
/** Points whose values are in the order of these members. */
export type Points = { names: string[]; batches: AsyncGenerator<JsonRows, void, undefined> }

const column = (text: string) => sql.raw(text)
const inSurvey = (name: string, type = 'text') => column(`(g.survey ->> '${name}')::${type}`)
const inPose = (path: string) => column(`(p.geo_pose #>> '{${path}}')::float8`)

/** How each member of a point is read. Written by PostgreSQL as JSON, since reading rows takes the main thread long. */
const members = (publicUrl: string): Record<keyof ExportedGcp, RawBuilder<unknown>> => ({
  id: column('g.id'),
  title: column('g.title'),
  description: column('g.description'),
  gcpType: column('g.gcp_type'),
  aprilTagId: column('g.april_tag_id'),
  tagSize: column('g.tag_size'),
  tagPose: column('g.tag_pose'),
  gcpData: column('g.gcp_data'),
  photoUrls: sql`written_addresses(g.photo_urls, ${publicUrl})`,
  latitude: column('p.latitude'),
  longitude: column('p.longitude'),
  h: inPose('position,h'),
  altitude: column('g.altitude'),
  yaw: inPose('angles,yaw'),
  pitch: inPose('angles,pitch'),
  roll: inPose('angles,roll'),
  accuracyH: inSurvey('accuracyH', 'float8'),
  accuracyV: inSurvey('accuracyV', 'float8'),
  heightDatum: inSurvey('verticalDatum'),
  heightOperation: column(`g.survey #>> '{heightTransformation,operation}'`),
  heightAccuracy: column(`(g.survey #>> '{heightTransformation,accuracy}')::float8`),
  createdAt: isoTimeOf('g.created_at'),
  updatedAt: isoTimeOf('g.updated_at'),
})

export type ExportStore = ReturnType<typeof exportStore>

/** Reads exported points, in SQL. */
export function exportStore(db: Kysely<AnyTables>, bulk: Kysely<AnyTables>, ownUrls: Pick<OwnUrls, 'publicUrl'>) {
  /**
   * Batches of points, each after the last one of the one before. No connection is held in between, so a slow reader
   * does not affect others. They are read outside of the request, and still for whom it was asked. Of a batch that its
   * bytes end, the rest is read again: the next one looks at fewer points.
   */
  async function* continued<Last>(
    most: number,
    read: (from: Kysely<AnyTables>, limit: number, after: Last | undefined) => Promise<{ rows: Batch<Last>[] }>,
    forWhomItWasAsked: <T>(read: () => T) => T,
  ): AsyncGenerator<JsonRows, void, undefined> {
    let limit = most
    for (let after: Last | undefined; ; ) {
      const from = after === undefined ? db : bulk
      const { text, count, last, isFull } = (await forWhomItWasAsked(() => read(from, limit, after))).rows[0]!
      if (text !== null) yield text
      if (!isFull) return
      after = last
      limit = Math.min(most, 2 * count)
    }
  }

  return {
    /** The positions of a zone's points. */
    positionsOf: (zoneId: number): Points => ({
      names: ['title', 'latitude', 'longitude'],
      batches: continued<number>(
        POSITIONS,
        (from, limit, last = 0) =>
          sql<Batch<number>>`
            select json_agg(json_build_array(title, latitude, longitude) order by id)::text as text,
                   max(id) as last, count(*)::int as count, count(*) = ${limit} as "isFull"
              from (select g.id, g.title, p.latitude, p.longitude from gcps g join pins p on p.gcp_id = g.id
                     where g.zone_id = ${zoneId} and g.id > ${last}::bigint
                     order by g.id limit ${limit}) as read`.execute(from),
        AsyncLocalStorage.snapshot(),
      ),
    }),

    /** The points of a zone, oldest first. */
    gcpsOf(zoneId: number): Points {
      const values = members(ownUrls.publicUrl())
      return {
        names: Object.keys(values),
        batches: continued<Place>(
          BATCH,
          (from, limit, last = { at: '-infinity', id: 0 }) =>
            sql<Batch<Place>>`
              select '[' || string_agg(point, ',' order by created_at, id) || ']' as text,
                     (array_agg(json_build_object('at', created_at::text, 'id', id) order by created_at desc, id desc))[1] as last,
                     count(*)::int as count,
                     count(*) = ${limit} or coalesce(sum(bytes), 0) >= ${BATCH_BYTES} as "isFull"
                from (select *, octet_length(point) as bytes,
                             sum(octet_length(point)) over (order by created_at, id) - octet_length(point) as preceding
                        from (select g.id, g.created_at, json_build_array(${sql.join(Object.values(values))})::text as point
                                from gcps g join pins p on p.gcp_id = g.id
                               where g.zone_id = ${zoneId}
                                 and (g.created_at, g.id) > (${last.at}::timestamptz, ${last.id}::bigint)
                               order by g.created_at, g.id limit ${limit}) as read) as summed
               where preceding < ${BATCH_BYTES}`.execute(from),
          AsyncLocalStorage.snapshot(),
        ),
      }
    },

    /** The points of a zone that carry a tag, in batches. */
    async *taggedPointsOf(zoneId: number): AsyncGenerator<TaggedPoint[], void, undefined> {
      for (let last = 0; ; ) {
        const { rows } = await sql<TaggedPoint>`
          select id, april_tag_id::int as "aprilTagId", photo_urls <> '{}' as "hasPhotos" from gcps
           where zone_id = ${zoneId} and april_tag_id is not null and id > ${last}::bigint
           order by id limit ${BATCH}`.execute(db)
        if (rows.length > 0) yield rows
        if (rows.length < BATCH) return
        last = rows.at(-1)!.id
      }
    },
  }
}
