import type { DiskReserve } from './storage/disk-reserve.ts'

export type JobDiskCheck = ReturnType<typeof jobDiskCheck>

/** What a record says while the work on it waits for room. */
export const WAITS_FOR_DISK =
  'This waits, because the disk of the service is nearly full: it goes on once there is room'

type Disks = { database: DiskReserve; files: DiskReserve }

/** Whether there is room for what background work makes: rows on the disk of the database, files on that of the data folder. */
export function jobDiskCheck({ database, files }: Disks) {
  return {
    /** Whether work that makes rows waits. */
    isShortForRows: (): Promise<boolean> => database.isShort(),

    /** Whether work that makes rows and files waits. @param bytes that a file may have */
    isShortForFiles: async (bytes = 0): Promise<boolean> => (await database.isShort()) || files.isShort(bytes),

    /** @throws 507 */
    assertSpaceForFiles: async (): Promise<void> => {
      await database.assertFree()
      await files.assertFree()
    },
  }
}
