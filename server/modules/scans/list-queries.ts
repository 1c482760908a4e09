import { sql } from 'kysely'
import type { ScanPage } from './schema.ts'

type Sql = ReturnType<typeof sql>

/** The queries of a page: common table expressions, the condition on scans `s`, the offset, and the query for `total`. */
export type PagedScans = { before?: Sql; of: Sql; offset: Sql; total: Sql }

const passedOver = ({ page, limit }: ScanPage) => sql`${(page - 1) * limit}::bigint`

export function scansOfUser(userId: string, asked: ScanPage): PagedScans {
  const of = sql`s.user_id = ${userId}`
  return { of, offset: passedOver(asked), total: sql`select count(*)::int as total from scans s where ${of}` }
}

/** Newest first. Scans are counted by day (scan_day, 0022_scans.sql): only rows of the page's first day are skipped. */
export function publicScans(asked: ScanPage): PagedScans {
  const passed = passedOver(asked)
  return {
    before: sql`
      days as (
        select scope::bigint as day, sum(rows) as rows
          from (select scope, rows from row_counts where relation = 'scans'
                union all select scope, change from row_count_changes where relation = 'scans') as counts
         group by scope having sum(rows) > 0),
      counted_days as (
        select day, sum(rows) over (order by day desc) - rows as newer, sum(rows) over () as total from days),
      first_day as (select day, newer from counted_days where newer <= ${passed} order by day limit 1),`,
    of: sql`s.visibility = 'public' and s.status = 'COMPLETED'
      and s.captured_at < (select to_timestamp((day + 1) * 86400) from first_day)`,
    offset: sql`${passed} - (select newer from first_day)`,
    total: sql`select coalesce(max(total), 0)::int as total from counted_days`,
  }
}
