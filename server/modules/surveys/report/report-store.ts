import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { cutPage, decodeCursor, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import type { FindingFilter, Report, ReportRow } from '../schema.ts'

/** A stored finding of an import. */
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

/** A report without its rows. */
export type ReportHead = Omit<Report, 'causes' | 'rows'>

/** Findings are ordered by ordinal, which is the order of the file. */
const FindingCursor = z.tuple([z.int32()])

/** SQL of import reports. */
export function reportStore(db: Kysely<ReportTables>) {
  return {
    async summary(id: string): Promise<ReportHead | undefined> {
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

    /** The errors of rows by code, most frequent first. */
    async causes(id: string): Promise<Report['causes']> {
      const { rows } = await sql<Report['causes'][number]>`
        select case when failed then 'failed' else 'warning' end as status, fault->>'code' as code, count(*) as count
          from csv_upload_findings, jsonb_array_elements(faults) fault
         where upload_id = ${id} and row_number is not null
         group by 1, 2 order by 3 desc, 1, 2`.execute(db)
      return rows
    },

    /** A page of those rows, in file order. */
    async findingPage(
      id: string,
      { status, cause, limit, cursor }: FindingFilter & PageQuery,
    ): Promise<Page<ReportRow>> {
      const after = decodeCursor(cursor, FindingCursor)
      const matching = db
        .selectFrom('csv_upload_findings')
        .where('upload_id', '=', id)
        .where('row_number', 'is not', null)
        .$if(status !== undefined, (query) => query.where('failed', '=', status === 'failed'))
        .$if(cause !== undefined, (query) =>
          query.where(sql<boolean>`faults @> ${JSON.stringify([{ code: cause }])}::jsonb`),
        )
      const [rows, { total }] = await Promise.all([
        matching
          .selectAll()
          .$if(after !== undefined, (query) => query.where('ordinal', '>', after![0]))
          .orderBy('ordinal')
          .limit(limit + 1)
          .execute(),
        matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ])
      const page = cutPage(rows, limit, ({ ordinal }) => [ordinal])
      return { rows: page.rows.map(reportRow), next: page.next, total }
    },

    /** The rows of the report in file order, in pages. @param of `file`: only those of the whole file */
    async *findings(id: string, of: 'all' | 'file' = 'all'): AsyncGenerator<ReportRow> {
      for (let after = FIRST_ORDINAL; ; ) {
        const page = await db
          .selectFrom('csv_upload_findings')
          .selectAll()
          .where('upload_id', '=', id)
          .where('ordinal', '>', after)
          .$if(of === 'file', (query) => query.where('row_number', 'is', null))
          .orderBy('ordinal')
          .limit(1000)
          .execute()
        for (const finding of page) yield reportRow(finding)
        if (page.length < 1000) return
        after = page.at(-1)!.ordinal
      }
    },

    /** The first failed row, for a one-line summary. */
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

/** Less than all ordinals that import-batches assigns. */
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
