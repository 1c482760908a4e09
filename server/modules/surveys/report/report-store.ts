import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { cutPage, decodeCursor, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import type { FindingFilter, Report, ReportRow } from '../schema.ts'

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

/** A report without what is counted and told of each row. */
export type ReportHead = Omit<Report, 'causes' | 'rows'>

/** A list of findings is in the order of the file: by the ordinal. */
const FindingCursor = z.tuple([z.int32()])

/** What became of a file's rows, in SQL. */
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

    /** What is wrong with rows, the most frequent first. */
    async causes(id: string): Promise<Report['causes']> {
      const { rows } = await sql<Report['causes'][number]>`
        select case when failed then 'failed' else 'warning' end as status, fault->>'code' as code, count(*) as count
          from csv_upload_findings, jsonb_array_elements(faults) fault
         where upload_id = ${id} and row_number is not null
         group by 1, 2 order by 3 desc, 1, 2`.execute(db)
      return rows
    },

    /** Those rows, a page of them in the file's order. */
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

    /** The report's rows in the file's order, page by page. @param of `file`: those of the whole file alone */
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
