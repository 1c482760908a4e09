import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { RestoredJob } from '../database/jobs/jobs.ts'
import { dedicatedClient } from '../database/locks/dedicated-client.ts'
import { LOCKS } from '../database/locks/locks.ts'
import type { Objects } from '../storage/objects.ts'
import { type ArchiveWriter, archiveWriter } from './archive.ts'
import { contentsOf, type DatabaseContents, dumpTable } from './dump.ts'
import type { BackupSecret } from './sealed-secret.ts'

export const FORMAT = 1

/** The first entry: the contents of the archive. */
export type Manifest = DatabaseContents & { format: typeof FORMAT; madeAt: string; secret: BackupSecret }

/** The last entry: what a reader must have found. Backups of earlier releases have none. */
export type BackupCounts = { rows: Record<string, number>; jobs: number; objects: number; objectBytes: number }

export const COUNTS = 'counts.json'

export type BackupSummary = {
  tables: number
  rows: number
  jobs: number
  objects: number
  objectBytes: number
  /** Referenced objects that are missing from the storage. */
  missing: number
  bytes: number
}

/** Queries of the objects that the database refers to, in the snapshot of a backup. */
export type KnownObjects = {
  /** Which of the keys the database knows, and whether a record refers to them. */
  among: (client: pg.ClientBase, keys: string[]) => Promise<{ key: string; isNamed: boolean }[]>
  /** The number of referenced objects. */
  named: (client: pg.ClientBase) => Promise<number>
}

type Deps = {
  databaseUrl: string
  objects: Pick<Objects, 'list' | 'size' | 'read'>
  known: KnownObjects
  secret: BackupSecret
  to: Writable
  onProgress: (soFar: Readonly<BackupSummary>, doing: string) => void
  /** Ends the backup early. */
  signal?: AbortSignal
}

const KEYS_AT_ONCE = 500
/** How long running removals may take: those of one batch, on a remote storage. */
const HOLD_TIMEOUT = '2min'

/**
 * Writes a snapshot of the database, and every object that it refers to. Services go on meanwhile; objects that they
 * release stay in the storage until this is done (see removal-lock.ts).
 */
export async function writeBackup({
  databaseUrl,
  objects,
  known,
  secret,
  to,
  onProgress,
  signal,
}: Deps): Promise<BackupSummary> {
  signal?.throwIfAborted()
  const client = dedicatedClient(databaseUrl, 'cairn-backup')
  await client.connect()
  const archive = archiveWriter(to)
  const stop = () => {
    archive.abort(signal!.reason as Error)
    // Ends a statement under way too.
    void client.end().catch(() => {})
  }
  signal?.addEventListener('abort', stop)
  const done: BackupSummary = { tables: 0, rows: 0, jobs: 0, objects: 0, objectBytes: 0, missing: 0, bytes: 0 }
  try {
    await holdRemovals(client)
    await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC';
      set datestyle = 'ISO'; begin isolation level repeatable read read only`)
    const contents = await contentsOf(client)
    const manifest: Manifest = { format: FORMAT, madeAt: new Date().toISOString(), ...contents, secret }
    await archive.addWhole('cairn.json', Buffer.from(JSON.stringify(manifest)))
    const rows: BackupCounts['rows'] = {}
    for (const table of contents.tables) {
      onProgress(done, `table ${table.name}`)
      rows[table.name] = await dumpTable(client, table, archive)
      done.rows += rows[table.name]!
      done.tables++
      signal?.throwIfAborted()
    }
    const jobs = await waitingJobs(client)
    done.jobs = jobs.length
    await archive.addWhole('jobs.json', Buffer.from(JSON.stringify(jobs)))
    await copyObjects({ client, archive, objects, known, done, onProgress })
    await client.query('commit')
    const { objects: files, objectBytes } = done
    const counts: BackupCounts = { rows, jobs: done.jobs, objects: files, objectBytes }
    await archive.addWhole(COUNTS, Buffer.from(JSON.stringify(counts)))
    done.bytes = (await archive.finish()).bytes
    return done
  } catch (error) {
    archive.abort(error as Error)
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    // Closing the connection ends the lock.
    await client.end().catch(() => {})
  }
}

async function holdRemovals(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = '${HOLD_TIMEOUT}'`)
  try {
    await client.query('select pg_advisory_lock($1)', [LOCKS.removals])
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    throw new Error('Another backup is running, or a removal of files does not end: try again later')
  }
}

/** Jobs that are queued or running: after a restore they run, or run again. */
async function waitingJobs(client: pg.Client): Promise<RestoredJob[]> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('pgboss.job') is not null as there`)
  if (!rows[0]!.there) return []
  const found = await client.query<RestoredJob>(
    `select name, data, singleton_key as key, group_id as "group", to_json(start_after) #>> '{}' as "startAfter"
       from pgboss.job where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%' order by created_on, id`,
  )
  return found.rows
}

type Copying = Pick<Deps, 'objects' | 'known' | 'onProgress'> & {
  client: pg.Client
  archive: ArchiveWriter
  done: BackupSummary
}

async function copyObjects({ client, archive, objects, known, done, onProgress }: Copying): Promise<void> {
  let named = 0
  const copyKnown = async (keys: string[]) => {
    for (const { key, isNamed } of await known.among(client, keys)) {
      const [size, bytes] = [await objects.size(key), await objects.read(key)]
      if (size === undefined || !bytes) {
        bytes?.destroy()
        continue
      }
      await archive.add(`objects/${key}`, size, bytes)
      if (isNamed) named++
      done.objects++
      done.objectBytes += size
      onProgress(done, 'files')
    }
  }
  // Objects of the snapshot were stored before it, so they are in the list, which starts after it.
  let keys: string[] = []
  for await (const { key } of objects.list()) {
    keys.push(key)
    if (keys.length < KEYS_AT_ONCE) continue
    await copyKnown(keys)
    keys = []
  }
  await copyKnown(keys)
  done.missing = (await known.named(client)) - named
}
