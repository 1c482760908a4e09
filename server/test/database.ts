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

/** A migrated database of its own on the PostgreSQL of the run. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.CAIRN_TEST_POSTGRES
  if (!server) throw new Error('The test run has no PostgreSQL: run these tests through vitest')
  const name = `cairn_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(server, `create database ${name} template ${TEMPLATE}`)
  return {
    url: withDatabase(server, name),
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  }
}

async function onServer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
