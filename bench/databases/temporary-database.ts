import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../server/platform/database/migrate/migrate.ts'
import { MIGRATIONS, withDatabase } from '../../server/test/database.ts'

/** Creates a migrated database on the server of `url`; dropped after `use`. */
export async function withTemporaryDatabase<T>(url: string, use: (url: string) => Promise<T>): Promise<T> {
  const name = `cairn_bench_${randomUUID().slice(0, 8)}`
  await runSql(url, `create database ${name}`)
  try {
    const own = withDatabase(url, name)
    await migrate(own, MIGRATIONS)
    return await use(own)
  } finally {
    await runSql(url, `drop database if exists ${name} with (force)`)
  }
}

/** Runs a script on a new connection. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
