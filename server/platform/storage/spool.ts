import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { HttpError } from '../errors.ts'
import { ensurePrivateDir, giveToParentOwner } from './folder/ensure-dir.ts'
import { fileWriter } from './folder/file-writer.ts'

const HEAD_BYTES = 4100

/** What is known of bytes after they have passed. */
export type Written = { size: number; sha256: string; head: Buffer }

/** A folder of private files for streams that are not checked yet. */
export function spoolIn(folder: string) {
  return {
    /**
     * Writes the bytes to a file, runs `use` on it (which may move it), and removes it in any case. @param limit
     * maximum bytes; more is 413 @param isSynced whether the bytes are synced to disk before `use` runs @throws 507 if
     * the disk is full
     */
    async hold<T>(
      bytes: AsyncIterable<Uint8Array>,
      { limit, isSynced }: { limit: number; isSynced: boolean },
      use: (path: string, written: Written) => Promise<T>,
    ): Promise<T> {
      const path = join(folder, randomBytes(16).toString('hex'))
      try {
        ensurePrivateDir(folder)
        return await use(path, await write(path, bytes, { limit, isSynced }))
      } catch (error) {
        throw diskFullError(error) ?? error
      } finally {
        // An unread stream would stay open.
        if (bytes instanceof Readable) bytes.destroy()
        await rm(path, { force: true })
      }
    },

    /** Removes files left by killed processes. @returns how many there were */
    async sweep({ olderThanMs }: { olderThanMs: number }): Promise<number> {
      ensurePrivateDir(folder)
      // File times have fractions of a millisecond.
      const before = Date.now() + 1 - olderThanMs
      let removed = 0
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const written = await statIfExists(path)
        if (!written || written.mtimeMs >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
  }
}

/** @returns undefined if it does not exist */
export async function statIfExists(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** @returns 507 if the error means a full disk */
export const diskFullError = (error: unknown): HttpError | undefined =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? new HttpError(507, 'The service has no room for this file', { 'retry-after': '300' })
    : undefined

async function write(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { limit, isSynced }: { limit: number; isSynced: boolean },
): Promise<Written> {
  const hash = createHash('sha256')
  const heads: Uint8Array[] = []
  let size = 0
  const file = await open(path, 'wx', 0o600)
  const writer = fileWriter(file)
  try {
    giveToParentOwner(path)
    for await (const chunk of bytes) {
      if (size < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - size))
      size += chunk.length
      if (size > limit) throw new HttpError(413, `The file is larger than ${limit} bytes`)
      hash.update(chunk)
      await writer.add(chunk)
    }
    await writer.end()
    if (isSynced) await file.sync()
  } finally {
    // No write may follow the close, after any failure.
    await writer.end().catch(() => {})
    await file.close()
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(heads) }
}
