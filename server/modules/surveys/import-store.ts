import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import type { Finding } from './store.ts'

/** A row of a file as it goes into the tables. Null leaves what an existing point has. */
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

/** Some rows of a file that were read, bad ones included, to be settled in one transaction. */
export type Batch = {
  uploadId: string
  zoneId: number
  dryRun: boolean
  /** Data rows settled before this batch: another worker that got further makes it void. */
  after: number
  /** Data rows in the batch. */
  rows: number
  points: ImportRow[]
  /** Rows that say again what another row said. */
  repeats: number
  findings: Finding[]
}

/** A GCP that carries a tag near one of the batch's rows, or without a place in the zone. */
export type NearBearer = {
  row: number | null
  gcpId: number
  title: string
  tag: number
  latitude: number | null
  longitude: number | null
}

/** The points of the zone that the batch's titles already name, by folded title. */
export type Existing = ReadonlyMap<string, { id: number; tag: number | null }>
/** Decides which rows may not have their tag: given what the tables hold, the findings of those that fail. */
export type TagJudge = (tagged: ImportRow[], existing: Existing, bearers: NearBearer[]) => Map<number, Finding>

/** Until the end of the transaction nobody else may claim these tags. */
type LockTags = (trx: Transaction<AnyTables>, tags: Iterable<number>) => Promise<void>

export type ImportStore = ReturnType<typeof importStore>

/** What an import writes, in SQL: 500 rows at a time, each batch all or nothing together with its progress. */
export function importStore(db: Kysely<AnyTables>, lockTags: LockTags) {
  /** @returns `changed` when a point that the batch names came, went or was changed by somebody between being read and being locked. */
  const attempt = (
    batch: Batch,
    tagMetres: number,
    judge: TagJudge,
  ): Promise<'applied' | 'gone' | 'ahead' | 'changed'> =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ settled: number }>`
          select settled_rows as settled from csv_uploads
           where id = ${batch.uploadId} and status = 'PROCESSING' for update`.execute(trx)
      if (!rows[0]) return 'gone'
      if (rows[0].settled !== batch.after) return 'ahead'
      await sql`select pg_advisory_xact_lock(hashtextextended('gcp-import', ${batch.zoneId}))`.execute(trx)
      const existing = await existingIn(trx, batch)
      const wanted = batch.points.map((point) => ({
        ...point,
        tag: point.tag ?? existing.get(point.key)?.tag ?? null,
      }))
      // The same order as everybody else who claims tags: first the tags, then the rows.
      const tags = wanted.flatMap(({ tag }) => tag ?? [])
      await lockTags(trx, tags)
      if (!(await holds(trx, batch, existing))) return 'changed'
      const refused = await judged(trx, batch.zoneId, wanted, existing, tagMetres, judge)
      // A tag that only the tables know is judged with the row, and not written.
      const points = batch.points.filter(({ row }) => !refused.has(row))
      if (batch.dryRun) await sql`savepoint before_writing`.execute(trx)
      const created = await create(
        trx,
        batch,
        points.filter(({ key }) => !existing.has(key)),
      )
      const updated = await update(
        trx,
        points.flatMap((point) => (existing.has(point.key) ? [{ ...point, id: existing.get(point.key)!.id }] : [])),
      )
      if (batch.dryRun) await sql`rollback to savepoint before_writing`.execute(trx)
      await saveFindings(trx, batch, [...batch.findings, ...refused.values()])
      await advance(trx, batch, { applied: points.length, created, updated, refused: refused.size })
      return 'applied'
    })

  return {
    /** Data rows that are settled: an import goes on after them. */
    async settledRows(uploadId: string): Promise<number> {
      const { rows } = await sql<{ settled: number }>`
        select settled_rows as settled from csv_uploads where id = ${uploadId}`.execute(db)
      return rows[0]?.settled ?? 0
    },

    /** Writes nothing when the import has ended or its record is `gone`, or when another run is `ahead` and settled these rows. */
    async apply(batch: Batch, tagMetres: number, judge: TagJudge): Promise<'applied' | 'gone' | 'ahead'> {
      for (;;) {
        const outcome = await attempt(batch, tagMetres, judge)
        if (outcome !== 'changed') return outcome
      }
    },

    /** Findings about the whole file; what was kept before stays. */
    async addFindings(uploadId: string, findings: Finding[]): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const added = await saveFindings(trx, { uploadId }, findings)
        await sql`update csv_uploads set warnings = warnings + ${added}::int where id = ${uploadId}`.execute(trx)
      })
    },
  }
}

async function existingIn(trx: Transaction<AnyTables>, { zoneId, points }: Batch): Promise<Existing> {
  const { rows } = await sql<{ key: string; id: number; tag: number | null }>`
    select distinct on (title_key) title_key as key, id, april_tag_id as tag from gcps
     where zone_id = ${zoneId} and title_key = any(${points.map(({ key }) => key)}) order by title_key, id`.execute(trx)
  return new Map(rows.map(({ key, id, tag }) => [key, { id, tag }]))
}

/**
 * Locks the points that are to be changed. @returns whether the batch's titles still name these points and no others,
 * and they carry the tags they carried.
 */
async function holds(trx: Transaction<AnyTables>, batch: Batch, existing: Existing): Promise<boolean> {
  const ids = [...existing.values()].map(({ id }) => id)
  await sql`select id from gcps where id = any(${ids}) order by id for update`.execute(trx)
  const now = await existingIn(trx, batch)
  const same = (key: string, { id, tag }: { id: number; tag: number | null }) =>
    now.get(key)?.id === id && now.get(key)?.tag === tag
  return now.size === existing.size && [...existing].every(([key, point]) => same(key, point))
}

async function judged(
  trx: Transaction<AnyTables>,
  zoneId: number,
  points: ImportRow[],
  existing: Existing,
  metres: number,
  judge: TagJudge,
): Promise<Map<number, Finding>> {
  const tagged = points.filter(({ tag }) => tag !== null)
  if (tagged.length === 0) return new Map()
  const tags = tagged.map(({ tag }) => tag!)
  const { rows } = await sql<NearBearer>`
    select t.row, g.id as "gcpId", g.title, g.april_tag_id as tag, p.latitude, p.longitude
      from unnest(${tagged.map(({ row }) => row)}::int[], ${tags}::smallint[],
                  ${tagged.map(({ latitude }) => latitude)}::float8[], ${tagged.map(({ longitude }) => longitude)}::float8[]
           ) as t (row, tag, latitude, longitude)
      join pins p on p.place <@ cube_enlarge(ecef(t.latitude, t.longitude), ${metres + 0.05}::float8, 3)
      join gcps g on g.id = p.gcp_id and g.april_tag_id = t.tag
    union all
    select null, g.id, g.title, g.april_tag_id, null, null
      from gcps g join pins p on p.gcp_id = g.id and p.place is null
     where g.zone_id = ${zoneId} and g.april_tag_id = any(${tags}::smallint[])`.execute(trx)
  return judge(tagged, existing, rows)
}

/** The shape of rows on their way into a statement. */
const columns = sql`(id bigint, title text, key text, description text, "gcpType" text, altitude float8, tag smallint,
  data text, photos jsonb, latitude float8, longitude float8, h float8, angles jsonb, survey jsonb)`
const asRows = (points: object[]) => sql`jsonb_to_recordset(${JSON.stringify(points)}::jsonb) as r ${columns}`
const photos = sql`array(select jsonb_array_elements_text(r.photos))`
const pose = (
  h: ReturnType<typeof sql>,
  angles: ReturnType<typeof sql>,
) => sql`case when ${h} is not null then jsonb_build_object(
  'position', jsonb_build_object('lat', r.latitude, 'lon', r.longitude, 'h', ${h}),
  'angles', coalesce(${angles}, '{"yaw": 0, "pitch": 0, "roll": 0}'::jsonb)) end`

async function create(trx: Transaction<AnyTables>, { uploadId, zoneId }: Batch, points: ImportRow[]): Promise<number> {
  if (points.length === 0) return 0
  // As the record says now, which is locked: the user may have been erased since the import began.
  const userId = sql`(select user_id from csv_uploads where id = ${uploadId})`
  await sql`
    with made as (
      insert into gcps (title, title_key, description, gcp_type, altitude, april_tag_id, gcp_data, photo_urls, zone_id, user_id, csv_upload_id, survey)
      select r.title, r.key, r.description, coalesce(r."gcpType", 'SINGLE'), r.altitude, r.tag, r.data, ${photos},
             ${zoneId}::bigint, ${userId}, ${uploadId}::uuid, r.survey
        from ${asRows(points)}
      returning id, title_key)
    insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id, user_id)
    select r.title, r.latitude, r.longitude, ${pose(sql`r.h`, sql`r.angles`)}, 'GCP', ${zoneId}::bigint, made.id, ${userId}
      from ${asRows(points)} join made on made.title_key = r.key`.execute(trx)
  return points.length
}

/** Writes only what differs. @returns how many points changed. */
async function update(trx: Transaction<AnyTables>, points: (ImportRow & { id: number })[]): Promise<number> {
  if (points.length === 0) return 0
  const { rows } = await sql<{ id: number }>`
    with r as (select * from ${asRows(points)}),
    target as (
      select g.id, r.title, r.key, coalesce(r.description, g.description) as description, coalesce(r."gcpType", g.gcp_type) as gcp_type,
             coalesce(r.altitude, g.altitude) as altitude, coalesce(r.tag, g.april_tag_id) as april_tag_id,
             coalesce(r.data, g.gcp_data) as gcp_data, case when r.photos is null then g.photo_urls else ${photos} end as photo_urls,
             coalesce(r.survey, g.survey) as survey
        from r join gcps g on g.id = r.id),
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

async function saveFindings(
  trx: Transaction<AnyTables>,
  { uploadId }: { uploadId: string },
  findings: Finding[],
): Promise<number> {
  if (findings.length === 0) return 0
  const { rows } = await sql`
    insert into csv_upload_findings (upload_id, ordinal, row_number, line, title, failed, faults)
    select ${uploadId}::uuid, f.ordinal, f.row, f.line, f.title, f.failed, f.faults
      from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) as f (ordinal int, "row" int, line int, title text, failed boolean, faults jsonb)
    on conflict do nothing returning ordinal`.execute(trx)
  return rows.length
}

type Outcome = { applied: number; created: number; updated: number; refused: number }

async function advance(trx: Transaction<AnyTables>, batch: Batch, { applied, created, updated, refused }: Outcome) {
  const failed = batch.findings.filter((finding) => finding.failed).length + refused
  const warnings = batch.findings.filter((finding) => !finding.failed).length
  await sql`
    update csv_uploads set settled_rows = settled_rows + ${batch.rows}::int, processed_rows = processed_rows + ${applied + batch.repeats}::int,
           created_rows = created_rows + ${created}::int, updated_rows = updated_rows + ${updated}::int,
           unchanged_rows = unchanged_rows + ${applied - created - updated + batch.repeats}::int,
           failed_rows = failed_rows + ${failed}::int, warnings = warnings + ${warnings}::int, updated_at = clock_timestamp()
     where id = ${batch.uploadId}`.execute(trx)
}
