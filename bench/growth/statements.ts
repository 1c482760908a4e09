import type pg from 'pg'

/** Totals of a statement over all calls: touched pages of 8 kB, and bytes of WAL. */
export type Statement = { query: string; calls: number; pages: number; walBytes: number }

const SQL = `
  select queryid::text || '/' || dbid || '/' || toplevel as key, query, calls,
         shared_blks_hit + shared_blks_read + local_blks_hit + local_blks_read + temp_blks_read + temp_blks_written as pages,
         wal_bytes as "walBytes"
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`

export type Snapshot = Map<string, Statement>

/** In one truncated line. */
export const shortened = (query: string) => query.replaceAll(/\s+/g, ' ').trim().slice(0, 160)

/** All statements so far. PostgreSQL attributes the work of a function to the calling statement. */
export async function statementsUntilNow(client: pg.Client): Promise<Snapshot> {
  const { rows } = await client.query(SQL)
  return new Map(
    rows.map(({ key, query, ...counts }) => [
      key,
      { query, calls: Number(counts.calls), pages: Number(counts.pages), walBytes: Number(counts.walBytes) },
    ]),
  )
}

/** The difference of two totals. Statements of less than half of the turns are background work of the service. */
export function statementsBetween(before: Snapshot, after: Snapshot, turns: number): Statement[] {
  const between: Statement[] = []
  for (const [key, now] of after) {
    const then = before.get(key) ?? { calls: 0, pages: 0, walBytes: 0 }
    const calls = now.calls - then.calls
    if (calls < turns / 2 || now.query.includes('pg_stat_statements')) continue
    between.push({ query: now.query, calls, pages: now.pages - then.pages, walBytes: now.walBytes - then.walBytes })
  }
  return between.sort((a, b) => b.pages - a.pages)
}
