import { existsSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MB = 2 ** 20
/** Enough for PostgreSQL to repair itself from its log of writes, and to take deletions. */
const BYTES = 64 * MB
/** With less free than two segments of that log, PostgreSQL is about to stop. */
const LOW = 32 * MB
/** The ballast is made where three times as much stays free: it must not be what fills the disk. */
const AMPLE = 4 * BYTES

/**
 * A file that does nothing but take room on the disk of the database, and is removed when the disk is full: with that
 * room PostgreSQL starts again and goes on, reads and deletes, until somebody makes more.
 * @param reserve bytes that the service leaves free: the ballast does not take them; without a reserve none is made
 */
export function createBallast(folder: string, reserve: number) {
  const file = join(folder, 'ballast')
  const freeNow = async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }

  return {
    /** Gives its room to PostgreSQL where the disk is nearly full. @returns whether it was there to be removed */
    async releaseWhenLow(): Promise<boolean> {
      if (!existsSync(file) || (await freeNow()) >= LOW) return false
      await rm(file, { force: true })
      return true
    },

    /** Makes it where it is not there, and there is room for it. */
    async makeWhenAmple(): Promise<void> {
      if (reserve === 0 || existsSync(file) || (await freeNow()) < AMPLE + reserve) return
      await write(file)
    },
  }
}

/** Written, not only made longer: a hole takes no room. Under its name once it is whole. */
async function write(file: string): Promise<void> {
  const partial = `${file}.new`
  const handle = await open(partial, 'w', 0o600)
  try {
    // No disk makes these fewer.
    const piece = Buffer.alloc(MB, 'cairn ballast ')
    for (let written = 0; written < BYTES; written += MB) await handle.write(piece)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(partial, file)
}
