import { existsSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MB = 2 ** 20
/** Enough for PostgreSQL to recover from its WAL and to process deletions. */
const BYTES = 64 * MB
/** With less free than two WAL segments, PostgreSQL is about to stop. */
const LOW = 32 * MB
/** The ballast is created only if three times as much stays free, so that it never fills the disk itself. */
const AMPLE = 4 * BYTES

/**
 * A file that only occupies space on the disk of the database and is deleted if the disk is full, so that PostgreSQL
 * can start, read and delete until the operator frees space. @param reserve bytes that the service leaves free, which
 * the ballast does not use; 0 disables it
 */
export function createBallast(folder: string, reserve: number) {
  const file = join(folder, 'ballast')
  const freeNow = async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }

  return {
    /** Deletes the ballast if the disk is nearly full. @returns whether it was deleted */
    async releaseWhenLow(): Promise<boolean> {
      if (!existsSync(file) || (await freeNow()) >= LOW) return false
      await rm(file, { force: true })
      return true
    },

    /** Creates the ballast if it is missing and there is enough space. */
    async makeWhenAmple(): Promise<void> {
      if (reserve === 0 || existsSync(file) || (await freeNow()) < AMPLE + reserve) return
      await write(file)
    },
  }
}

/** Written, because a sparse file takes no space; renamed once it is whole. */
async function write(file: string): Promise<void> {
  const partial = `${file}.new`
  const handle = await open(partial, 'w', 0o600)
  try {
    // Not zeros, which a file system may store as a hole.
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
