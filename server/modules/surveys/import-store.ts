import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { createPoints, type ImportRow, updatePoints } from './import-points-store.ts'
import type { Finding } from './report-store.ts'

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

/** What an import writes, in SQL: a batch of rows at a time, each batch all or nothing together with its progress. */
export function importStore(db: Kysely<AnyTables>, lockTags: LockTags) {
  /**
   * The same order of locks as everybody else who claims tags: first the tags, then the rows.
   * @returns nothing written, but the tags to lock as well, when the rows turn out to carry others
   */
  const attempt = (
    batch: Batch,
    tags: ReadonlySet<number>,
    tagMetres: number,
    judge: TagJudge,
  ): Promise<'applied' | 'gone' | 'ahead' | { missing: number[] }> =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ settled: number; userId: string | null }>`
        select settled_rows as settled, user_id as "userId",
               pg_advisory_xact_lock(hashtextextended('gcp-import', ${batch.zoneId}))
          from csv_uploads where id = ${batch.uploadId} and status = 'PROCESSING' for update`.execute(trx)
      if (!rows[0]) return 'gone'
      if (rows[0].settled !== batch.after) return 'ahead'
      await lockTags(trx, tags)
      const existing = await lockExisting(trx, batch)
      const missing = [...existing.values()].flatMap(({ tag }) => (tag === null || tags.has(tag) ? [] : [tag]))
      if (missing.length > 0) return { missing }
      const wanted = batch.points.map((point) => ({
        ...point,
        tag: point.tag ?? existing.get(point.key)?.tag ?? null,
      }))
      const refused = await judged(trx, batch.zoneId, wanted, existing, tagMetres, judge)
      // A tag that only the tables know is judged with the row, and not written.
      const points = batch.points.filter(({ row }) => !refused.has(row))
      if (batch.dryRun) await sql`savepoint before_writing`.execute(trx)
      // As the record says now, which is locked: the user may have been erased since the import began.
      const created = await createPoints(
        trx,
        { ...batch, userId: rows[0].userId },
        points.filter(({ key }) => !existing.has(key)),
      )
      const updated = await updatePoints(
        trx,
        points.flatMap((point) => (existing.has(point.key) ? [{ ...point, id: existing.get(point.key)!.id }] : [])),
      )
      if (batch.dryRun) await sql`rollback to savepoint before_writing`.execute(trx)
      // What is warned of is imported: a row that was refused is no warning too.
      const findings = batch.findings.filter(({ failed, row }) => failed || row === null || !refused.has(row))
      await saveFindings(trx, batch, [...findings, ...refused.values()])
      await advance(trx, { ...batch, findings }, { applied: points.length, created, updated, refused: refused.size })
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
      const tags = new Set(batch.points.flatMap(({ tag }) => tag ?? []))
      for (;;) {
        const outcome = await attempt(batch, tags, tagMetres, judge)
        if (typeof outcome === 'string') return outcome
        for (const tag of outcome.missing) tags.add(tag)
      }
    },

    /** Findings about the whole file; what was kept before stays. */
    async addFindings(uploadId: string, findings: Finding[]): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const added = await saveFindings(trx, { uploadId }, findings)
        const warnings = added.filter((finding) => !finding.failed).length
        await sql`update csv_uploads set warnings = warnings + ${warnings}::int where id = ${uploadId}`.execute(trx)
      })
    },
  }
}

/** Locks the points that the batch's titles name, as they are now. */
async function lockExisting(trx: Transaction<AnyTables>, { zoneId, points }: Batch): Promise<Existing> {
  const { rows } = await sql<{ key: string; id: number; tag: number | null }>`
    select title_key as key, id, april_tag_id as tag from gcps
     where zone_id = ${zoneId} and title_key = any(${points.map(({ key }) => key)}) order by id for update`.execute(trx)
  // Of several with one title, the oldest.
  return new Map(rows.reverse().map(({ key, id, tag }) => [key, { id, tag }]))
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

async function saveFindings(
  trx: Transaction<AnyTables>,
  { uploadId }: { uploadId: string },
  findings: Finding[],
): Promise<{ failed: boolean }[]> {
  if (findings.length === 0) return []
  const { rows } = await sql<{ failed: boolean }>`
    insert into csv_upload_findings (upload_id, ordinal, row_number, line, title, failed, faults)
    select ${uploadId}::uuid, f.ordinal, f.row, f.line, f.title, f.failed, f.faults
      from json_to_recordset(${JSON.stringify(findings)}::json) as f (ordinal int, "row" int, line int, title text, failed boolean, faults jsonb)
    on conflict do nothing returning failed`.execute(trx)
  return rows
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
