import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type pg from 'pg'
import type { RestoredJob } from '../database/jobs/jobs.ts'
import { dedicatedClient } from '../database/locks/dedicated-client.ts'
import { lockOutProcesses } from '../database/locks/process-registry.ts'
import { asBaseline, FORMER } from '../database/migrate/baseline.ts'
import { migrate, migrationsIn } from '../database/migrate/migrate.ts'
import { unfinishedRestore } from '../database/migrate/unfinished-restore.ts'
import { ObjectExists, type Objects } from '../storage/objects.ts'
import { isKey } from '../storage/own-urls.ts'
import { ArchiveFault, readArchive } from './archive.ts'
import { type BackupCounts, COUNTS, type Manifest } from './backup.ts'
import { assertCounted, newCounts } from './check.ts'
import { empty, isUnused, loader } from './load.ts'

export type RestoreSummary = {
  tables: number
  rows: number
  jobs: number
  objects: number
  madeAt: string
  /** Migrations of this release that the backup did not have. */
  migrated: string[]
}

type Deps = {
  file: string
  databaseUrl: string
  /** The folder of this release's migrations. */
  migrations: string
  objects: Pick<Objects, 'put' | 'size' | 'list' | 'remove'>
  jobs: {
    start: (options: { work: false }) => Promise<void>
    restore: (client: pg.ClientBase, jobs: RestoredJob[]) => Promise<void>
    stop: () => Promise<void>
  }
  /** Whether existing data may be overwritten. */
  isForced: boolean
  onProgress: (doing: string) => void
}

/**
 * Restores the database and files of a backup, and migrates them to this release. The rows are one transaction that
 * ends last: an interrupted restore leaves a database without rows, on which only another restore starts, and, unless
 * the process was killed, no files where there were none. @throws a sentence if there is data already, if a service
 * runs, or if the backup is of a newer release
 */
export async function restoreBackup(parts: Deps, manifest: Manifest): Promise<RestoreSummary> {
  const { databaseUrl, migrations, objects, jobs, isForced } = parts
  const only = await knownMigrations(manifest, migrations)
  const release = await lockOutProcesses(databaseUrl)
  try {
    const hadFiles = await withClient(databaseUrl, async (client) => {
      // The remains of a killed restore are useless: this one starts over.
      const brokenOff = await unfinishedRestore(client)
      const hadFiles = brokenOff ? brokenOff.hadFiles : await anyOf(objects)
      if (hadFiles && !isForced)
        throw new Error(
          'There are files already: restore into an empty data folder or bucket, or pass --force to keep them as well',
        )
      if (!isForced && !brokenOff && !(await isUnused(client)))
        throw new Error('The database is in use: restore into an empty one, or pass --force to overwrite it')
      await empty(client, { hadFiles })
      return hadFiles
    })
    await migrate(databaseUrl, migrations, { only, isRestore: true })
    await jobs.start({ work: false })
    try {
      const done = await withClient(databaseUrl, (client) => load(parts, manifest, client))
      return { ...done, migrated: await migrate(databaseUrl, migrations) }
    } catch (error) {
      if (!hadFiles) for await (const { key } of objects.list()) await objects.remove(key)
      throw error
    } finally {
      await jobs.stop()
    }
  } finally {
    await release()
  }
}

async function load({ file, objects, jobs, onProgress }: Deps, manifest: Manifest, client: pg.Client) {
  const done = newCounts()
  let expected: BackupCounts | undefined
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC';
    set datestyle = 'ISO'; begin`)
  const rows = await loader(client, manifest)
  for await (const { name, size, bytes } of readArchive(createReadStream(file))) {
    const [kind, ...rest] = name.split('/')
    onProgress(`restoring ${name}`)
    if (kind === 'database') done.rows[rest[0]!] = (done.rows[rest[0]!] ?? 0) + (await rows.load(rest[0]!, bytes))
    else if (kind === 'objects') {
      await put(objects, rest.join('/'), size, bytes)
      done.objects++
    } else if (name === 'jobs.json') {
      const waiting = (await json(Readable.from(bytes))) as RestoredJob[]
      await jobs.restore(client, waiting)
      done.jobs = waiting.length
    } else if (name === COUNTS) expected = (await json(Readable.from(bytes))) as BackupCounts
  }
  if (expected) assertCounted(done, expected)
  onProgress('checking references')
  await rows.finish()
  await client.query('commit')
  const total = Object.values(done.rows).reduce((sum, count) => sum + count, 0)
  const { jobs: restored, objects: files } = done
  return { tables: manifest.tables.length, rows: total, jobs: restored, objects: files, madeAt: manifest.madeAt }
}

async function put(objects: Deps['objects'], key: string, size: number, bytes: AsyncIterable<Uint8Array>) {
  if (!isKey(key)) throw new ArchiveFault(`"${key}" is not the key of a file`)
  try {
    await objects.put(bytes, { key })
  } catch (error) {
    if (!(error instanceof ObjectExists)) throw error
    if ((await objects.size(key)) !== size) throw new Error(`There is another file under "${key}" already`)
  }
}

/**
 * The migrations of the backup's database. @throws a sentence if this release does not know them, or has them with
 * other texts
 */
async function knownMigrations(manifest: Manifest, folder: string): Promise<Set<string>> {
  const known = await migrationsIn(folder)
  const history = asBaseline(new Map(manifest.migrations.map(({ name, checksum }) => [name, checksum])), known)
  if (!history)
    throw new Error(
      `The backup is from before the baseline of migrations, and lacks migrations that the baseline includes: restore it with the last release that has ${FORMER.last}, and make a new backup there`,
    )
  const here = new Map(known.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of history)
    if (here.get(name) !== checksum)
      throw new Error(
        `The backup was made by another release of Cairn (with another migration ${name}): restore it with that release, or a newer one`,
      )
  return new Set(history.keys())
}

async function anyOf(objects: Pick<Objects, 'list'>): Promise<boolean> {
  for await (const _one of objects.list()) return true
  return false
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = dedicatedClient(url, 'cairn-restore')
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
