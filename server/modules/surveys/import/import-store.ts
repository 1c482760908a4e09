import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import type { ArrivedBatch } from '../process/survey-reader.ts'
import type { Finding } from '../report/report-store.ts'
import { createPoints, saveSample, updatePoints } from './import-points-store.ts'
import {
  type Existing,
  lockExisting,
  type NearbyTaggedGcp,
  nearbyTaggedGcps,
  type TaggedRow,
  taggedRows,
} from './import-tags-store.ts'

export type { NearbyTaggedGcp, TaggedRow }

/** A batch of rows to commit in one transaction, including failed ones. Ignored if another run is ahead. */
export type Batch = ArrivedBatch & { uploadId: string; zoneId: number; dryRun: boolean }

/** Decides which rows may not have their tag: from the data of the tables to the findings of the failed rows. */
export type TagJudge = (tagged: TaggedRow[], bearers: NearbyTaggedGcp[]) => Map<number, Finding>

/** Locks these tags until the end of the transaction. */
export type LockTags = (trx: Transaction<AnyTables>, tags: Iterable<number>) => Promise<void>

export type ImportStore = ReturnType<typeof importStore>

/** Points of a zone that are read to know where it is. */
const MAX_SAMPLE = 5000

/** SQL of an import: each batch commits together with its progress. */
export function importStore(db: Kysely<AnyTables>, lockTags: LockTags) {
  /**
   * Uses the same lock order as all writers of tags: tags first, then rows.
   * @returns the additional tags to lock, with nothing written, if the rows turn out to have others
   */
  const attempt = (
    batch: Batch,
    tags: ReadonlySet<number>,
    tagMetres: number,
    judge: TagJudge,
  ): Promise<'applied' | 'gone' | 'ahead' | { missing: number[] }> =>
    db.transaction().execute(async (trx) => {
      // A batch that PostgreSQL loses in a crash loses its progress too, and is repeated; the end of the import waits
      // for the disk.
      const { rows } = await sql<{ settled: number; userId: string | null }>`
        select set_config('synchronous_commit', 'off', true), settled_rows as settled, user_id as "userId",
               pg_advisory_xact_lock(hashtextextended('gcp-import', ${batch.zoneId}))
          from csv_uploads where id = ${batch.uploadId} and status = 'PROCESSING' for update`.execute(trx)
      if (!rows[0]) return 'gone'
      if (rows[0].settled !== batch.after) return 'ahead'
      await lockTags(trx, tags)
      const existing = await lockExisting(trx, batch)
      const missing = existing.tags.filter((tag) => !tags.has(tag))
      if (missing.length > 0) return { missing }
      const refused = await judged(trx, batch, existing, tagMetres, judge)
      const passing = { ...batch, ...existing, refused: [...refused.keys()] }
      if (batch.dryRun) await sql`savepoint before_writing`.execute(trx)
      // Read from the locked record: the user may have been erased since the import began.
      const created = await createPoints(trx, { ...passing, userId: rows[0].userId })
      const updated = await updatePoints(trx, passing)
      if (batch.dryRun) await sql`rollback to savepoint before_writing`.execute(trx)
      if (batch.dryRun) await saveSample(trx, passing)
      const warnings = await saveArrived(trx, batch, passing.refused)
      await saveFindings(trx, batch, [...refused.values()])
      await advance(trx, batch, { created, updated, refused: refused.size, warnings })
      return 'applied'
    })

  return {
    /** Committed data rows: an import resumes after them. */
    async settledRows(uploadId: string): Promise<number> {
      const { rows } = await sql<{ settled: number }>`
        select settled_rows as settled from csv_uploads where id = ${uploadId}`.execute(db)
      return rows[0]?.settled ?? 0
    },

    /** The box of the places of the zone's oldest points, except those of this upload: west, south, east, north. */
    async otherPoints({ id, zoneId }: { id: string; zoneId: number }): Promise<number[] | null> {
      const { rows } = await sql<{ box: number[] | null }>`
        select case when count(p.place) > 0
               then array[min(p.longitude), min(p.latitude), max(p.longitude), max(p.latitude)] end as box
          from (select id, csv_upload_id from gcps where zone_id = ${zoneId}::bigint
                 order by created_at, id limit ${MAX_SAMPLE}) g join pins p on p.gcp_id = g.id
         where p.place is not null and g.csv_upload_id is distinct from ${id}::uuid`.execute(db)
      return rows[0]!.box
    },

    /** Writes nothing if the import has ended, its record is `gone`, or another run is `ahead`. */
    async apply(batch: Batch, tagMetres: number, judge: TagJudge): Promise<'applied' | 'gone' | 'ahead'> {
      const tags = new Set(batch.tags)
      for (;;) {
        const outcome = await attempt(batch, tags, tagMetres, judge)
        if (typeof outcome === 'string') return outcome
        for (const tag of outcome.missing) tags.add(tag)
      }
    },

    /** Adds findings about the whole file. */
    async addFindings(uploadId: string, findings: Finding[]): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const added = await saveFindings(trx, { uploadId }, findings)
        const warnings = added.filter((finding) => !finding.failed).length
        await sql`update csv_uploads set warnings = warnings + ${warnings}::int where id = ${uploadId}`.execute(trx)
      })
    },
  }
}

/** The rows that may not have their tag, by row. A tag that only the tables have is checked, but not written. */
async function judged(
  trx: Transaction<AnyTables>,
  batch: Batch,
  existing: Existing,
  metres: number,
  judge: TagJudge,
): Promise<Map<number, Finding>> {
  if (batch.tags.length + existing.tags.length === 0) return new Map()
  const tagged = await taggedRows(trx, batch, existing)
  return judge(tagged, await nearbyTaggedGcps(trx, batch.zoneId, tagged, metres))
}

const findingColumns = sql`(ordinal int, "row" int, line int, title text, failed boolean, faults jsonb)`

/** Stores the findings of the reader. Warnings of refused rows are omitted. @returns the number of stored warnings */
async function saveArrived(trx: Transaction<AnyTables>, batch: Batch, refused: number[]): Promise<number> {
  if (!batch.findings) return 0
  const { rows } = await sql<{ warnings: number }>`
    with f as materialized (
      select * from json_to_recordset(${batch.findings}::json) as f ${findingColumns}
       where f.failed or f."row" is null or f."row" <> all (${refused}::int[])),
    saved as (
      insert into csv_upload_findings (upload_id, ordinal, row_number, line, title, failed, faults)
      select ${batch.uploadId}::uuid, ordinal, "row", line, title, failed, faults from f
      on conflict do nothing)
    select count(*) filter (where not failed) as warnings from f`.execute(trx)
  return rows[0]!.warnings
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
      from json_to_recordset(${JSON.stringify(findings)}::json) as f ${findingColumns}
    on conflict do nothing returning failed`.execute(trx)
  return rows
}

type Outcome = { created: number; updated: number; refused: number; warnings: number }

async function advance(trx: Transaction<AnyTables>, batch: Batch, { created, updated, refused, warnings }: Outcome) {
  const applied = batch.points - refused
  await sql`
    update csv_uploads set settled_rows = settled_rows + ${batch.rows}::int, processed_rows = processed_rows + ${applied + batch.repeats}::int,
           created_rows = created_rows + ${created}::int, updated_rows = updated_rows + ${updated}::int,
           unchanged_rows = unchanged_rows + ${applied - created - updated + batch.repeats}::int,
           failed_rows = failed_rows + ${batch.failed + refused}::int, warnings = warnings + ${warnings}::int, updated_at = clock_timestamp()
     where id = ${batch.uploadId}`.execute(trx)
}
