import type { Config } from '../config.ts'
import { HttpError } from '../errors.ts'
import { diskSpace } from './folder/disk-space.ts'

export type DiskReserve = ReturnType<typeof diskReserve>

type Disk = {
  /** A folder on it; undefined where that is not on this machine, or not known. */
  folder: string | undefined
  /** Bytes that are left free. */
  reserve: number
  /** What a request is told that finds less. */
  refusal: string
}

/** Whether a disk has room for more, by what it said in the last second. Where it cannot be asked there is always room. */
export function diskReserve({ folder, reserve, refusal }: Disk) {
  const asked = folder === undefined ? undefined : diskSpace(folder)
  let last: number | undefined
  const free = async (): Promise<number | undefined> => {
    last = await asked?.().catch(() => undefined)
    return last
  }
  /** @param bytes that are to come */
  const isShort = async (bytes = 0): Promise<boolean> => ((await free()) ?? Number.POSITIVE_INFINITY) - bytes < reserve

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
    async assertFree(): Promise<void> {
      if (await isShort()) throw new HttpError(507, refusal, { 'retry-after': '60' })
    },
  }
}

/** Room for what is kept in the data folder. */
export const filesDiskReserve = (config: Config): DiskReserve =>
  diskReserve({
    folder: config.CAIRN_DATA_DIR,
    reserve: config.CAIRN_DISK_RESERVE_BYTES,
    refusal: 'The disk of the service is nearly full: its operator must free space before it accepts this upload',
  })
