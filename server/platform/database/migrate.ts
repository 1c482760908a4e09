import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { LOCKS } from './locks.ts'

/** Brings the database up to date: every `NNNN_name.sql` of the folder that was not applied yet, in order, each in a transaction of its own.
 * Processes that start together take turns; running twice changes nothing. Migrations that a newer release applied are left alone.
 * @returns the names applied now. @throws when an applied file was changed since. */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'cairn-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrations])
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.checksum]))
    const done: string[] = []
    for (const name of (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()) {
      const sql = await readFile(join(folder, name), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      const before = applied.get(name)
      if (before && before !== checksum)
        throw new Error(
          `Migration ${name} was changed after it was applied: restore it, and put the change into a new one`,
        )
      if (!before) {
        await apply(client, name, sql, checksum)
        done.push(name)
      }
    }
    return done
  } finally {
    await client.end()
  }
}

async function apply(client: pg.Client, name: string, sql: string, checksum: string) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed and changed nothing: ${(error as Error).message}`, { cause: error })
  }
}
