import type { Config } from '../config.ts'
import { HttpError } from '../errors.ts'
import { diskSpace } from './folder/disk-space.ts'

export type DiskReserve = ReturnType<typeof diskReserve>

type Disk = {
  /** A folder on the disk; undefined if it is not on this machine, or unknown. */
  folder: string | undefined
  /** Bytes that are left free. */
  reserve: number
  /** The error message if there is less. */
  refusal: string
}

/** Whether a disk has enough free space, at most a second old. If it cannot be determined, there is always enough. */
export function diskReserve({ folder, reserve, refusal }: Disk) {
  const asked = folder === undefined ? undefined : diskSpace(folder)
  let last: number | undefined
  const free = async (): Promise<number | undefined> => {
    last = await asked?.().catch(() => undefined)
    return last
  }
  /** @param bytes that are about to be written */
  const isShort = async (bytes = 0): Promise<boolean> => ((await free()) ?? Number.POSITIVE_INFINITY) - bytes < reserve

  return {
    reserve,
    /** Free bytes; undefined if unknown. */
    free,
    /** The last known value of `free`; triggers an update. */
    lastFree: (): number | undefined => {
      void free()
      return last
    },
    isShort,
    /** @throws 507 */
    async assertFree(): Promise<void> {
      if (await isShort()) throw new HttpError(507, refusal, { 'retry-after': '60' })
    },
  }
}

/** Free space for the data folder. */
export const filesDiskReserve = (config: Config): DiskReserve =>
  diskReserve({
    folder: config.CAIRN_DATA_DIR,
    reserve: config.CAIRN_DISK_RESERVE_BYTES,
    refusal: 'The disk of the service is nearly full: its operator must free space before it accepts this upload',
  })
