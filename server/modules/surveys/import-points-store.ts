import { sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'

/** A row of a file as it goes into the tables. Null leaves what an existing point has; a new height without an altitude is both. */
export type ImportRow = {
  row: number
  line: number
  title: string
  key: string
  description: string | null
  gcpType: string | null
  altitude: number | null
  tag: number | null
  data: string | null
  photos: string[] | null
  latitude: number
  longitude: number
  h: number | null
  angles: { yaw: number; pitch: number; roll: number } | null
  survey: object | null
}

type Owner = { uploadId: string; zoneId: number; userId: string | null }

/** The shape of rows on their way into a statement. */
const columns = sql`(id bigint, title text, key text, description text, "gcpType" text, altitude float8, tag smallint,
  data text, photos jsonb, latitude float8, longitude float8, h float8, angles jsonb, survey jsonb)`
/** As json: reading records out of jsonb takes twice as long. */
const asRows = (points: ImportRow[]) => sql`json_to_recordset(${JSON.stringify(points)}::json) as r ${columns}`
const photos = sql`case when r.photos is null then '{}' else array(select jsonb_array_elements_text(r.photos)) end`
const pose = (
  h: ReturnType<typeof sql>,
  angles: ReturnType<typeof sql>,
) => sql`case when ${h} is not null then jsonb_build_object(
  'position', jsonb_build_object('lat', r.latitude, 'lon', r.longitude, 'h', ${h}),
  'angles', coalesce(${angles}, '{"yaw": 0, "pitch": 0, "roll": 0}'::jsonb)) end`

/** Makes points, each with its pin. @returns how many */
export async function createPoints(
  trx: Transaction<AnyTables>,
  { uploadId, zoneId, userId }: Owner,
  points: ImportRow[],
): Promise<number> {
  if (points.length === 0) return 0
  await sql`
    with r as materialized (select * from ${asRows(points)}),
    made as (
      insert into gcps (title, title_key, description, gcp_type, altitude, april_tag_id, gcp_data, photo_urls, zone_id, user_id, csv_upload_id, survey)
      select r.title, r.key, r.description, coalesce(r."gcpType", 'SINGLE'), coalesce(r.altitude, r.h), r.tag, r.data, ${photos},
             ${zoneId}::bigint, ${userId}::uuid, ${uploadId}::uuid, r.survey
        from r
      returning id, title_key)
    insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id, user_id)
    select r.title, r.latitude, r.longitude, ${pose(sql`r.h`, sql`r.angles`)}, 'GCP', ${zoneId}::bigint, made.id, ${userId}::uuid
      from r join made on made.title_key = r.key`.execute(trx)
  return points.length
}

/** Writes only what differs. @returns how many points changed. */
export async function updatePoints(
  trx: Transaction<AnyTables>,
  points: (ImportRow & { id: number })[],
): Promise<number> {
  if (points.length === 0) return 0
  const { rows } = await sql<{ id: number }>`
    with r as (select * from ${asRows(points)}),
    target as (
      select g.id, r.title, r.key, coalesce(r.description, g.description) as description, coalesce(r."gcpType", g.gcp_type) as gcp_type,
             coalesce(r.altitude, case when r.h is distinct from (p.geo_pose #>> '{position,h}')::float8 then r.h end, g.altitude) as altitude,
             coalesce(r.tag, g.april_tag_id) as april_tag_id,
             coalesce(r.data, g.gcp_data) as gcp_data, case when r.photos is null then g.photo_urls else ${photos} end as photo_urls,
             coalesce(r.survey, g.survey) as survey
        from r join gcps g on g.id = r.id join pins p on p.gcp_id = g.id),
    changed as (
      update gcps g set title = t.title, description = t.description, gcp_type = t.gcp_type, altitude = t.altitude,
             april_tag_id = t.april_tag_id, gcp_data = t.gcp_data, photo_urls = t.photo_urls, survey = t.survey, updated_at = clock_timestamp()
        from target t
       where g.id = t.id
         and (g.title, g.description, g.gcp_type, g.altitude, g.april_tag_id, g.gcp_data, g.photo_urls, g.survey)
             is distinct from (t.title, t.description, t.gcp_type, t.altitude, t.april_tag_id, t.gcp_data, t.photo_urls, t.survey)
      returning g.id),
    poses as (
      select p.id, r.title, r.latitude, r.longitude, ${pose(sql`coalesce(r.h, (p.geo_pose #>> '{position,h}')::float8)`, sql`coalesce(r.angles, p.geo_pose -> 'angles')`)} as geo_pose
        from r join pins p on p.gcp_id = r.id),
    moved as (
      update pins p set title = t.title, latitude = t.latitude, longitude = t.longitude, geo_pose = t.geo_pose, updated_at = clock_timestamp()
        from poses t
       where p.id = t.id and (p.title, p.latitude, p.longitude, p.geo_pose) is distinct from (t.title, t.latitude, t.longitude, t.geo_pose)
      returning p.gcp_id)
    select id from changed union select gcp_id from moved`.execute(trx)
  return rows.length
}
