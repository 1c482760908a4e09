import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type DiskReserve, diskReserve } from '../storage/disk-reserve.ts'

export type DatabaseDiskReserve = DiskReserve

const NEARLY_FULL =
  'The disk of the database is nearly full, and nothing new is taken: delete what is not needed, or ask the operator to make room. Reading, deleting and signing in go on'

/** Where the files of the database lie, its log of writes (WAL) among them; undefined where that is not on this machine, or not known. */
function databaseFolderOf(config: Config): string | undefined {
  const { CAIRN_DATABASE_FOLDER: named, CAIRN_DATABASE_URL: elsewhere, CAIRN_DATA_DIR: data } = config
  return named ?? (elsewhere ? undefined : join(data, 'database'))
}

/** Whether the disk of the database has room for more. */
export const databaseDiskReserve = (config: Config): DatabaseDiskReserve =>
  diskReserve({
    folder: databaseFolderOf(config),
    reserve: config.CAIRN_DATABASE_RESERVE_BYTES,
    refusal: NEARLY_FULL,
  })
