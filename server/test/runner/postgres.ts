import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedDatabase } from '../../platform/database/embedded/embedded-database.ts'
import { createJobs } from '../../platform/database/jobs/jobs.ts'
import { migrate } from '../../platform/database/migrate/migrate.ts'
import { createLog } from '../../platform/logging/log.ts'
import { MIGRATIONS, TEMPLATE, withDatabase } from '../database.ts'
import { useInMemoryTmp } from '../in-memory-tmp.ts'
import { ROOT } from '../process.ts'

/** Enough connections for the tests, and little lock space, so that a lock for each of many rows fails early. */
const settings = { fsync: 'off', max_connections: '450', max_locks_per_transaction: '10' }

/** Before a test run: one PostgreSQL (embedded, or CAIRN_TEST_DATABASE_URL) with a migrated template that each test file copies. */
export async function setup() {
  // Processes started by tests share the compile cache; entries are keyed by content.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'compiled-for-tests')
  const forget = useInMemoryTmp()
  const given = process.env.CAIRN_TEST_DATABASE_URL
  const folder = await mkdtemp(join(tmpdir(), 'cairn-test-'))
  await chmod(folder, 0o755)
  const box = given ? undefined : await openEmbeddedDatabase({ dataDir: folder, settings })
  const url = given ?? box!.url
  process.env.CAIRN_TEST_POSTGRES = url

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(withDatabase(url, TEMPLATE), MIGRATIONS)
  // Includes the job tables, which the first start on a database creates: tests start hundreds of services.
  const jobs = createJobs({ url: withDatabase(url, TEMPLATE), log: createLog('silent') })
  await jobs.start({ work: false })
  await jobs.stop()

  return async () => {
    await box?.stop()
    await rm(folder, { recursive: true, force: true })
    forget()
  }
}
