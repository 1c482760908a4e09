import { fileURLToPath } from 'node:url'
import pg from 'pg'

export const TEMPLATE = 'cairn_test_template'
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url.replace('@/', '@box/'))
  changed.pathname = `/${database}`
  return changed.toString().replace('@box/', '@/')
}

let onServer: pg.Pool | undefined

/** A migrated database of its own on the PostgreSQL of the run. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.CAIRN_TEST_POSTGRES
  if (!server) throw new Error('The test run has no PostgreSQL: run these tests through vitest')
  // One connection for all databases of this process: opening one costs as much as half a copy.
  onServer ??= new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true }).on('error', () => {})
  const pool = onServer
  const name = `cairn_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  // The default strategy writes each page to the WAL, which takes three times as long.
  await pool.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  return {
    url: withDatabase(server, name),
    drop: async () => void (await pool.query(`drop database if exists ${name} with (force)`)),
  }
}
