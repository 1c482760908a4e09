import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { link, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpError } from '../../../platform/errors.ts'
import { collectYoungGarbage } from '../../../platform/process/garbage.ts'
import { ensurePrivateDir, giveToParentOwner } from '../../../platform/storage/folder/ensure-dir.ts'
import { diskFullError, statIfExists } from '../../../platform/storage/spool.ts'

const READ_BYTES = 256 * 1024
const ID = /^[\w-]{22}$/

/** Whether this has the form of an upload's ID; nothing else becomes a path. */
export const isUploadId = (text: string): boolean => ID.test(text)

export type SpoolFolder = ReturnType<typeof spoolFolder>

/** Bytes of unfinished uploads: one file each, named by the upload's ID, as long as what has arrived. */
export function spoolFolder(folder: string) {
  const pathOf = (id: string) => {
    if (!isUploadId(id)) throw new HttpError(404, 'Upload not found')
    return join(folder, id)
  }

  const tidyUp = collectYoungGarbage()
  let named: Promise<string> | undefined

  return {
    /** Identifies this folder among those of other machines. */
    name(): Promise<string> {
      named ??= nameOf(folder).catch((error) => {
        named = undefined
        throw error
      })
      return named
    },

    async create(id: string): Promise<void> {
      ensurePrivateDir(folder)
      await open(pathOf(id), 'wx', 0o600).then((file) => file.close(), fail)
    },

    /**
     * Appends bytes as they arrive and syncs them to disk, so that they survive an interruption or power cut. @returns
     * the new end @throws 507 if the disk is full
     */
    async append(id: string, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
      // The record may have been created by another process, before there was a file.
      const file = await open(pathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
      let at = offset
      try {
        for await (const chunk of bytes) {
          for (let done = 0; done < chunk.length; )
            done += (await file.write(chunk, done, chunk.length - done, at + done).catch(fail)).bytesWritten
          at += chunk.length
        }
      } finally {
        await file.datasync().finally(() => file.close())
      }
      return at
    },

    /** @returns the number of bytes received; undefined if there is no file */
    size: async (id: string): Promise<number | undefined> => (await statIfExists(pathOf(id)))?.size,

    /** The first bytes. */
    async head(id: string, length: number): Promise<Buffer> {
      const file = await open(pathOf(id), 'r')
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },

    async *read(id: string): AsyncGenerator<Uint8Array> {
      for await (const chunk of createReadStream(pathOf(id), { highWaterMark: READ_BYTES })) {
        tidyUp(chunk.length)
        yield chunk
      }
    },

    remove: (id: string): Promise<void> => rm(pathOf(id), { force: true }),

    /** The uploads whose files were last written longer ago than this. */
    async old(seconds: number): Promise<string[]> {
      const names = await readdir(folder).catch(() => [])
      const ages = await Promise.all(
        names
          .filter(isUploadId)
          .map(async (id) => ({ id, found: await stat(join(folder, id)).catch(() => undefined) })),
      )
      return ages.filter(({ found }) => found && found.mtimeMs < Date.now() - seconds * 1000).map(({ id }) => id)
    },
  }
}

/** Reads the name stored beside the folder, creating it if needed: processes that share the folder share the name. */
async function nameOf(folder: string): Promise<string> {
  const path = `${folder}-name`
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known) return known
  ensurePrivateDir(folder)
  const own = `${path}-${randomUUID()}`
  // Written whole and then linked, so that other processes never read a part of it.
  await writeFile(own, randomUUID(), { flag: 'wx', mode: 0o600 }).catch(fail)
  giveToParentOwner(own)
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(own)
  return readFile(path, 'utf8')
}

function fail(error: unknown): never {
  throw diskFullError(error) ?? error
}
