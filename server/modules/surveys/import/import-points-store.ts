import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { columnNames, type RowColumns, rowColumns } from './import-rows.ts'

/**
 * The rows of a batch that are points, and for each the id of its existing point as a PostgreSQL array; null if there
 * is none.
 */
export type Rows = { points: number; columns: RowColumns; ids?: string | null }

/** The rows to write: all except the `refused` ones; `found` rows update existing points. */
type Passing = Required<Rows> & { found: number; refused: number[] }
type Owner = { uploadId: string; zoneId: number; userId: string | null }

/** The rows as `r` in a statement, with `id`. */
export const rowsOf = ({ columns, ids = null }: Rows) =>
  sql`unnest(${sql.join(
    columnNames.map((name) => sql`${columns[name]}::${sql.raw(rowColumns[name])}[]`),
  )}, ${ids}::bigint[]) as r (${sql.join(columnNames.map((name) => sql.id(name)))}, id)`

const photos = sql`case when r.photos is null then '{}' else array(select jsonb_array_elements_text(r.photos::jsonb)) end`
/**
 * A point within 1e-9 degrees (0.1 mm) keeps its coordinates: a projection and its inverse do not return exactly the
 * same numbers.
 */
const isUnmoved = sql`coalesce(abs(p.latitude - r.latitude) <= 1e-9 and abs(p.longitude - r.longitude) * cosd(r.latitude) <= 1e-9, false)`
const latitude = sql`case when ${isUnmoved} then p.latitude else r.latitude end`
const longitude = sql`case when ${isUnmoved} then p.longitude else r.longitude end`
/** A length in metres as it was, if a format with fewer figures has changed it by less than a nanometre. */
const kept = (row: RawBuilder<unknown>, present: RawBuilder<unknown>) =>
  sql`case when abs(${row} - ${present}) <= 1e-9 then ${present} else ${row} end`
const presentHeight = sql`(p.geo_pose #>> '{position,h}')::float8`
/**
 * The ellipsoidal height of a point after a row, as `k.h`: that of the row, or else the present one, unless it was
 * derived from a height that the row replaces by one without an ellipsoidal height.
 */
const height = sql`(select case when r.h is not null then ${kept(sql`r.h`, presentHeight)}
  when r.altitude is not null and g.survey ->> 'verticalDatum' <> 'ellipsoid' then null
  else ${presentHeight} end as h)`
/** The names of the accuracies of a row that the point has already. */
const sameAccuracies = sql`array(select name from unnest('{accuracyH,accuracyV}'::text[]) as name
  where abs((r.survey::jsonb ->> name)::float8 - (g.survey ->> name)::float8) <= 1e-9)`

/**
 * The row replaces the survey data member by member. The operation to WGS84 belongs to the position, the height
 * reference to the height; a row that keeps the ellipsoidal height does not change its reference.
 */
const survey = sql`nullif(
  coalesce(g.survey, '{}')
  - case when ${isUnmoved} then '{}'::text[] else '{transformation}' end
  - case when (r.h is not null or k.h is null and r.altitude is not null)
          and (k.h, r.survey::jsonb ->> 'verticalDatum') is distinct from (${presentHeight}, g.survey ->> 'verticalDatum')
         then '{verticalDatum,heightTransformation}' else '{}'::text[] end
  || (coalesce(case when not ${isUnmoved} then r.survey::jsonb
        when jsonb_strip_nulls(r.survey::jsonb - 'transformation') <> '{}' then r.survey::jsonb - 'transformation' end, '{}')
  - ${sameAccuracies}
  - case when r.h is null and k.h is not null then '{verticalDatum,heightTransformation}' else '{}'::text[] end), '{}')`

/** Survey data to compare: a row names the members that it leaves empty, a point that was not imported has none. */
const withoutNulls = (data: RawBuilder<unknown>) => sql`nullif(jsonb_strip_nulls(${data}), '{}')`

/** Inserts the new points with their pins. @returns how many */
export async function createPoints(
  trx: Transaction<AnyTables>,
  { uploadId, zoneId, userId, refused, ...rows }: Passing & Owner,
): Promise<number> {
  if (rows.points === rows.found) return 0
  const { numAffectedRows } = await sql`
    with r as materialized (
      select r.*, nextval('gcps_id_seq') as gcp_id from ${rowsOf(rows)}
       where r.id is null and r."row" <> all (${refused}::int[])),
    made as (
      insert into gcps (id, title, title_key, description, gcp_type, altitude, april_tag_id, gcp_data, photo_urls, zone_id, user_id, csv_upload_id, survey)
      overriding system value
      select r.gcp_id, r.title, r.key, r.description, coalesce(r."gcpType", 'SINGLE'), coalesce(r.altitude, r.h), r.tag, r.data, ${photos},
             ${zoneId}::bigint, ${userId}::uuid, ${uploadId}::uuid, r.survey::jsonb
        from r)
    insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id, user_id)
    select r.title, r.latitude, r.longitude, r.pose::jsonb, 'GCP', ${zoneId}::bigint, r.gcp_id, ${userId}::uuid
      from r`.execute(trx)
  return Number(numAffectedRows)
}

/** Updates the points that differ. @returns how many */
export async function updatePoints(trx: Transaction<AnyTables>, { refused, found, ...all }: Passing): Promise<number> {
  if (found === 0) return 0
  const { rows } = await sql<{ changed: number }>`
    with r as materialized (
      select r.* from ${rowsOf(all)} where r.id is not null and r."row" <> all (${refused}::int[])),
    target as (
      select g.id, r.title, coalesce(r.description, g.description) as description, coalesce(r."gcpType", g.gcp_type) as gcp_type,
             coalesce(${kept(sql`r.altitude`, sql`g.altitude`)}, case when k.h is distinct from ${presentHeight} then r.h end, g.altitude) as altitude,
             coalesce(r.tag, g.april_tag_id) as april_tag_id,
             coalesce(r.data, g.gcp_data) as gcp_data, case when r.photos is null then g.photo_urls else stored_addresses(${photos}) end as photo_urls,
             ${survey} as survey
        from r join gcps g on g.id = r.id join pins p on p.gcp_id = g.id, lateral ${height} as k),
    changed as (
      update gcps g set title = t.title, description = t.description, gcp_type = t.gcp_type, altitude = t.altitude,
             april_tag_id = t.april_tag_id, gcp_data = t.gcp_data, photo_urls = t.photo_urls, survey = t.survey, updated_at = clock_timestamp()
        from target t
       where g.id = t.id
         and (g.title, g.description, g.gcp_type, g.altitude, g.april_tag_id, g.gcp_data, g.photo_urls, ${withoutNulls(sql`g.survey`)})
             is distinct from (t.title, t.description, t.gcp_type, t.altitude, t.april_tag_id, t.gcp_data, t.photo_urls, ${withoutNulls(sql`t.survey`)})
      returning g.id),
    poses as (
      select p.id, r.title, to_be.latitude, to_be.longitude, case when k.h is not null then jsonb_build_object(
               'position', jsonb_build_object('lat', to_be.latitude, 'lon', to_be.longitude, 'h', k.h),
               'angles', coalesce(r.angles::jsonb, p.geo_pose -> 'angles', '{"yaw": 0, "pitch": 0, "roll": 0}'::jsonb)) end as geo_pose
        from r join gcps g on g.id = r.id join pins p on p.gcp_id = g.id, lateral ${height} as k,
             lateral (select ${latitude} as latitude, ${longitude} as longitude) as to_be),
    moved as (
      update pins p set title = t.title, latitude = t.latitude, longitude = t.longitude, geo_pose = t.geo_pose, updated_at = clock_timestamp()
        from poses t
       where p.id = t.id and (p.title, p.latitude, p.longitude, p.geo_pose) is distinct from (t.title, t.latitude, t.longitude, t.geo_pose)
      returning p.gcp_id)
    select count(*) as changed from (select id from changed union select gcp_id from moved) as touched`.execute(trx)
  return rows[0]!.changed
}

/** Maximum number of rows that a dry run keeps as a preview. */
const SAMPLE_ROWS = 2000

/** Adds the rows of a batch to the preview of a dry run, including refused ones. */
export async function saveSample(
  trx: Transaction<AnyTables>,
  { uploadId, after, refused, ...rows }: Rows & { uploadId: string; after: number; refused: number[] },
): Promise<void> {
  if (after >= SAMPLE_ROWS || rows.points === 0) return
  await sql`
    update csv_uploads set sample = coalesce(sample, '[]') || (
      select coalesce(jsonb_agg(jsonb_build_object('row', r."row", 'title', r.title, 'latitude', r.latitude, 'longitude', r.longitude,
               'status', case when r."row" = any (${refused}::int[]) then 'failed' when r.id is null then 'new' else 'known' end) order by r."row"), '[]')
        from ${rowsOf(rows)} where r."row" <= ${SAMPLE_ROWS}::int)
     where id = ${uploadId}`.execute(trx)
}
