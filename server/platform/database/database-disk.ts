import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type DiskReserve, diskReserve } from '../storage/disk-reserve.ts'

export type DatabaseDiskReserve = DiskReserve

const NEARLY_FULL =
  'The disk of the database is nearly full: delete what you do not need, or ask the operator to free space. Reading, deleting and signing in still work'

/**
 * The folder of the database's files, including its write-ahead log (WAL); undefined if it is not on this machine, or
 * unknown.
 */
function databaseFolderOf(config: Config): string | undefined {
  const { CAIRN_DATABASE_FOLDER: named, CAIRN_DATABASE_URL: elsewhere, CAIRN_DATA_DIR: data } = config
  return named ?? (elsewhere ? undefined : join(data, 'database'))
}

/** Free space on the disk of the database. */
export const databaseDiskReserve = (config: Config): DatabaseDiskReserve =>
  diskReserve({
    folder: databaseFolderOf(config),
    reserve: config.CAIRN_DATABASE_RESERVE_BYTES,
    refusal: NEARLY_FULL,
  })
