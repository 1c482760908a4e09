import type pg from 'pg'
import { someNamed } from '../../modules/files/objects/object-inventory-store.ts'
import type { Config } from '../../platform/config.ts'
import { dedicatedClient } from '../../platform/database/locks/dedicated-client.ts'
import { createLog } from '../../platform/logging/log.ts'
import { objectsFolder } from '../../platform/platform.ts'
import { folderObjects } from '../../platform/storage/folder/folder-objects.ts'
import { newKey } from '../../platform/storage/objects.ts'
import { s3SettingsOf } from '../../platform/storage/s3/s3-client.ts'
import { s3Objects } from '../../platform/storage/s3/s3-objects.ts'
import { counted } from '../command.ts'
import { type Finding, fail, ok } from './finding.ts'

const SAMPLE = 100

/** Checks that stored objects are where the settings say: all of a few, a random sample of many. */
export async function storedFiles(config: Config, databaseUrl: string, spoolFolder: string): Promise<Finding[]> {
  const client = dedicatedClient(databaseUrl, 'cairn-doctor')
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('scans') is not null as there`)
    if (!rows[0]!.there) return []
    const starts = Array.from({ length: SAMPLE }, () => newKey(''))
    const keys = await someNamed(client, starts)
    const objects = objectsOf(config, spoolFolder)
    const lost: string[] = []
    for (const key of keys) if ((await objects.size(key)) === undefined) lost.push(key)
    // Objects deleted during the check are not missing.
    const gone = new Set(await stillKnown(client, lost))
    const missing = lost.filter((key) => gone.has(key))
    if (missing.length === 0) return [ok('stored files', `${counted(keys.length, 'file')} checked, none missing`)]
    return [
      fail(
        'stored files',
        `${missing.length} of ${keys.length} checked are missing, such as ${missing[0]}`,
        'Check CAIRN_DATA_DIR and CAIRN_S3_*: is this the storage of these files? cairn files check lists all missing ones; restore them from a backup',
      ),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

async function stillKnown(client: pg.Client, keys: string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'select key from unnest($1::text[]) as given (key) where object_is_known(key)',
    [keys],
  )
  return rows.map(({ key }) => key)
}

function objectsOf(config: Config, spoolFolder: string) {
  const settings = s3SettingsOf(config)
  return settings
    ? s3Objects({ settings, spoolFolder, publicUrl: () => '', log: createLog('silent') })
    : folderObjects({ folder: objectsFolder(config), publicUrl: () => '' })
}
