import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { PARTIAL } from './place.ts'

/**
 * Writes a file under a temporary name, readable by its owner only, and gives it its name once it is on the disk and
 * `verify` has accepted it. If that fails, nothing is left.
 */
export async function writeWholeFile<T>(
  file: string,
  write: (to: Writable) => Promise<T>,
  verify: (partial: string) => Promise<unknown> = async () => {},
): Promise<T> {
  const partial = file + PARTIAL
  const handle = await open(partial, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
  try {
    const to = handle.createWriteStream({ flush: true })
    const done = await write(to)
    await finished(to)
    await verify(partial)
    await rename(partial, file)
    await syncFolder(dirname(file))
    return done
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
