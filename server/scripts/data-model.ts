import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openEmbeddedDatabase } from '../platform/database/embedded/embedded-database.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { readTables } from './data-model/catalog.ts'
import { pageOf } from './data-model/page.ts'

const page = new URL('../../docs/data-model.md', import.meta.url)
const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

/** Writes docs/data-model.md: run `node server/scripts/data-model.ts` after a change of the schema or of its comments. */
async function main() {
  const dataDir = await mkdtemp(join(tmpdir(), 'cairn-data-model-'))
  const database = await openEmbeddedDatabase({ dataDir, settings: { fsync: 'off' } })
  try {
    await migrate(database.url, migrations)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const tables = await readTables(client)
    await client.end()
    await writeFile(page, pageOf(tables))
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
