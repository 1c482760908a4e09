import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database.ts'

/**
 * Reads with a named statement, which each connection parses and plans once: for reads of one record by its key, of which
 * planning is the larger part.
 * @param name of this text; another text needs another name
 */
export async function namedRead<Row extends pg.QueryResultRow>(
  { kysely, pool }: Database['reading'],
  name: string,
  statement: RawBuilder<Row>,
): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(kysely)
  return (await pool.query<Row>({ name, text, values: [...parameters] })).rows
}
