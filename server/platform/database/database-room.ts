import { join } from 'node:path'
import type { Config } from '../config.ts'
import { HttpError } from '../errors.ts'
import { diskSpace } from '../storage/folder/disk-space.ts'

export type DatabaseRoom = ReturnType<typeof databaseRoom>

const NEARLY_FULL =
  'The disk of the database is nearly full, and nothing new is taken: delete what is not needed, or ask the operator to make room. Reading, deleting and signing in go on'

/** Where the files of the database lie, its log of writes (WAL) among them; undefined where that is not on this machine, or not known. */
function databaseFolderOf(config: Config): string | undefined {
  const { CAIRN_DATABASE_FOLDER: named, CAIRN_DATABASE_URL: elsewhere, CAIRN_DATA_DIR: data } = config
  return named ?? (elsewhere ? undefined : join(data, 'database'))
}

/** Whether the disk of the database has room for more, by what it said in the last second. Where it cannot be asked there is always room. */
export function databaseRoom(config: Config) {
  const folder = databaseFolderOf(config)
  const reserve = config.CAIRN_DATABASE_RESERVE_BYTES
  const asked = folder === undefined ? undefined : diskSpace(folder)
  let last: number | undefined
  const free = async (): Promise<number | undefined> => {
    last = await asked?.().catch(() => undefined)
    return last
  }
  const isShort = async (): Promise<boolean> => ((await free()) ?? Number.POSITIVE_INFINITY) < reserve

  return {
    reserve,
    /** Bytes left; undefined where they are not known. */
    free,
    /** What `free` said last; asks it for the next time. */
    lastFree: (): number | undefined => {
      void free()
      return last
    },
    isShort,
    /** @throws 507 with what to do */
    async mustHave(): Promise<void> {
      if (await isShort()) throw new HttpError(507, NEARLY_FULL, { 'retry-after': '60' })
    },
  }
}
