import type { Kysely } from 'kysely'
import type { Report, ReportRow } from './schema.ts'

/** One finding of an import, as it is kept. */
export type Finding = {
  ordinal: number
  row: number | null
  line: number | null
  title: string | null
  failed: boolean
  faults: { code: string; message: string; column: string | null; value: string | null }[]
}

export type FindingsTable = {
  upload_id: string
  ordinal: number
  row_number: number | null
  line: number | null
  title: string | null
  failed: boolean
  faults: Finding['faults']
}
type ReportTables = {
  csv_uploads: {
    id: string
    detected: Report['detected']
    sample: Report['points'] | null
    settled_rows: number
    created_rows: number
    updated_rows: number
    unchanged_rows: number
    failed_rows: number
    warnings: number
  }
  csv_upload_findings: FindingsTable
}

/** What became of a file's rows, in SQL. */
export function reportStore(db: Kysely<ReportTables>) {
  return {
    async summary(id: string): Promise<Omit<Report, 'rows'> | undefined> {
      const row = await db.selectFrom('csv_uploads').selectAll().where('id', '=', id).executeTakeFirst()
      return (
        row && {
          uploadId: id,
          summary: {
            rows: row.settled_rows,
            created: row.created_rows,
            updated: row.updated_rows,
            unchanged: row.unchanged_rows,
            failed: row.failed_rows,
            warnings: row.warnings,
          },
          detected: row.detected,
          points: row.sample ?? [],
        }
      )
    },

    /** The report's rows in the file's order, page by page. */
    async *findings(id: string): AsyncGenerator<ReportRow> {
      for (let after = FIRST_ORDINAL; ; ) {
        const page = await db
          .selectFrom('csv_upload_findings')
          .selectAll()
          .where('upload_id', '=', id)
          .where('ordinal', '>', after)
          .orderBy('ordinal')
          .limit(1000)
          .execute()
        for (const finding of page) yield reportRow(finding)
        if (page.length < 1000) return
        after = page.at(-1)!.ordinal
      }
    },

    /** The first row that failed, for one line about it. */
    firstFailure: (id: string): Promise<{ row: number; line: number; faults: Finding['faults'] } | undefined> =>
      db
        .selectFrom('csv_upload_findings')
        .select(['row_number as row', 'line', 'faults'])
        .where('upload_id', '=', id)
        .where('failed', '=', true)
        .orderBy('ordinal')
        .limit(1)
        .executeTakeFirst() as Promise<{ row: number; line: number; faults: Finding['faults'] } | undefined>,
  }
}

/** Below every ordinal that import-batches gives. */
const FIRST_ORDINAL = -1_000_000

function reportRow({ row_number: row, line, title, failed, faults }: FindingsTable): ReportRow {
  return {
    row,
    line,
    title,
    status: failed ? 'failed' : 'warning',
    errors: faults.map(({ code, message, column, value }) => ({
      code,
      message,
      path: [...(row === null ? [] : ['rows', row]), ...(column === null ? [] : [column])],
      column,
      value,
    })),
  }
}
