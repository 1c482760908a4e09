import type { DiskReserve } from './storage/disk-reserve.ts'

export type JobDiskCheck = ReturnType<typeof jobDiskCheck>

/** Message of a record whose job waits for disk space. */
export const WAITS_FOR_DISK = 'Waiting: the disk of the service is nearly full. This continues once there is free space'

type Disks = { database: DiskReserve; files: DiskReserve }

/**
 * Whether there is disk space for background work: rows on the disk of the database, files on that of the data folder.
 */
export function jobDiskCheck({ database, files }: Disks) {
  return {
    /** Whether jobs that create rows must wait. */
    isShortForRows: (): Promise<boolean> => database.isShort(),

    /** Whether jobs that create rows and files must wait. @param bytes maximum size of a file */
    isShortForFiles: async (bytes = 0): Promise<boolean> => (await database.isShort()) || files.isShort(bytes),

    /** @throws 507 */
    assertSpaceForFiles: async (): Promise<void> => {
      await database.assertFree()
      await files.assertFree()
    },
  }
}
