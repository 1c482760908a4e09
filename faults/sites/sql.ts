import pg from 'pg'

// biome-ignore lint/suspicious/noExplicitAny: rows depend on the statement.
export type Sql = <Row extends object = any>(statement: string, values?: unknown[]) => Promise<Row[]>

/** Runs statements on new connections, for checks that must work after a database outage. Counts are numbers. */
export const sqlAt =
  (url: string): Sql =>
  async <Row extends object>(statement: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: url, application_name: 'faults', connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    client.setTypeParser(20, Number)
    await client.connect()
    try {
      return (await client.query<Row>(statement, values)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
