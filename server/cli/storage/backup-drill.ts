import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, realpathSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { backupSize } from '../../platform/backup/backup-size.ts'
import { type CheckedBackup, checkArchive } from '../../platform/backup/check.ts'
import { tableName } from '../../platform/backup/dump.ts'
import { placeOf } from '../../platform/backup/places/place-of.ts'
import { type RestoreSummary, restoreBackup } from '../../platform/backup/restore.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { openEmbeddedDatabase } from '../../platform/database/embedded/embedded-database.ts'
import { dedicatedClient } from '../../platform/database/locks/dedicated-client.ts'
import { createLog } from '../../platform/logging/log.ts'
import { diskSpace } from '../../platform/storage/folder/disk-space.ts'
import { MIGRATIONS } from '../context.ts'
import { readable } from '../progress.ts'

/** Free space that a drill needs, by the size of the backup: its files, and its rows with their indexes. */
const ROOM = 2

export type Drill = {
  file: string
  checked: CheckedBackup
  restored: RestoreSummary
  /** Files that records name and the backup does not have. */
  missing: number
}

type Source = {
  /** The backup's file; undefined for the newest scheduled one. */ file: string | undefined
  config: Config
}
type Options = { /** Where temporary files go. */ folder: string | undefined; onProgress: (doing: string) => void }

/**
 * Restores a backup into a temporary PostgreSQL and a temporary folder, compares rows and files with what the backup
 * says, and removes both. The service, its database and its files are not used. @throws a sentence if something differs
 */
export async function drill({ file, config }: Source, { folder = tmpdir(), onProgress }: Options): Promise<Drill> {
  const scratch = await makeScratch(resolve(folder))
  try {
    // PostgreSQL may run as another account, which must reach its folder; what is inside is private.
    await chmod(scratch, 0o755)
    const backup = file === undefined ? await newest(config, scratch, onProgress) : { name: file, path: file }
    await assertRoom(scratch, ROOM * (await backupSize(backup.path)))
    const checked = await checkArchive(createReadStream(backup.path), onProgress)
    return { file: backup.name, checked, ...(await restoredIn(scratch, backup.path, checked, onProgress)) }
  } finally {
    const database = join(scratch, 'database')
    // It may be a link, to where PostgreSQL's account can reach it.
    if (existsSync(database)) await rm(realpathSync(database), { recursive: true, force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

async function makeScratch(folder: string): Promise<string> {
  try {
    return await mkdtemp(join(folder, 'cairn-drill-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`The drill cannot write to ${folder} (${code}): name another folder with --folder`, {
      cause: error,
    })
  }
}

/** The newest scheduled backup, downloaded if it is not on this machine. */
async function newest(config: Config, scratch: string, onProgress: Options['onProgress']) {
  const place = placeOf(config)
  const [latest] = await place.list()
  if (!latest) throw new Error(`There is no backup in ${place.name}: set CAIRN_BACKUP_EVERY, or name a file`)
  const name = `${place.name}/${latest.file}`
  if (place.pathOf) return { name, path: place.pathOf(latest.file) }
  await assertRoom(scratch, (1 + ROOM) * latest.bytes)
  onProgress(`reading ${name}`)
  const path = join(scratch, 'backup.tar')
  await pipeline(await place.read(latest.file), createWriteStream(path, { mode: 0o600 }))
  return { name, path }
}

async function assertRoom(folder: string, bytes: number): Promise<void> {
  const free = await diskSpace(folder)().catch(() => Number.POSITIVE_INFINITY)
  if (free < bytes)
    throw new Error(
      `The restore needs about ${readable(bytes)} in ${folder}, which has ${readable(free)} free: name a folder on another disk with --folder`,
    )
}

async function restoredIn(scratch: string, file: string, checked: CheckedBackup, onProgress: Options['onProgress']) {
  onProgress('starting PostgreSQL')
  const box = await openEmbeddedDatabase({ dataDir: scratch, settings: { fsync: 'off' } })
  try {
    const { createApp } = await import('../../app.ts')
    const config = readConfig({ CAIRN_DATA_DIR: scratch, CAIRN_DISK_RESERVE_BYTES: '0' }, '')
    // Nothing is decrypted: any secret will do.
    const secret = randomBytes(32).toString('hex')
    const app = await createApp({ config, databaseUrl: box.url, secret, log: createLog('silent') })
    try {
      const { objects, jobs } = app
      const parts = { file, databaseUrl: box.url, migrations: MIGRATIONS, objects, jobs, isForced: false, onProgress }
      const restored = await restoreBackup(parts, checked.manifest)
      onProgress('counting rows and files')
      // Newer migrations may have added rows.
      if (restored.migrated.length === 0) await assertRows(box.url, checked.counts.rows)
      let missing = 0
      const found = await app.checkStorage({ hashes: false, olderThanMs: 0 }, ({ fault, key, says }) => {
        if (fault === 'missing') missing++
        if (fault === 'size') throw new Error(`The file ${key} is not as its record says: ${says}`)
      })
      if (found !== checked.counts.objects)
        throw new Error(`${found} files were restored instead of ${checked.counts.objects}`)
      return { restored, missing }
    } finally {
      await app.close()
    }
  } finally {
    await box.stop()
  }
}

async function assertRows(databaseUrl: string, rows: Record<string, number>): Promise<void> {
  const client = dedicatedClient(databaseUrl, 'cairn-drill')
  await client.connect()
  try {
    for (const [table, expected] of Object.entries(rows)) {
      const found = await countOf(client, table)
      if (found !== expected)
        throw new Error(`The table ${table} has ${found} rows after the restore instead of ${expected}`)
    }
  } finally {
    await client.end().catch(() => {})
  }
}

const countOf = async (client: pg.Client, table: string): Promise<number> =>
  (await client.query<{ count: number }>(`select count(*)::float8 as count from ${tableName(table)}`)).rows[0]!.count
