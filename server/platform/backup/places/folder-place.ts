import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type DiskReserve, diskReserve } from '../../storage/disk-reserve.ts'
import { ensurePrivateDir } from '../../storage/folder/ensure-dir.ts'
import { fileBytes } from '../../storage/folder/file-bytes.ts'
import { statIfExists } from '../../storage/spool.ts'
import { type BackupPlace, backupsAmong, isPartial, type Storing, withOperatorError } from './place.ts'
import { writeWholeFile } from './whole-file.ts'

/** How often free space is checked while a backup is written. */
const CHECK_BYTES = 32 * 2 ** 20

type Options = {
  folder: string
  /** Bytes that stay free on the disk of the folder. */
  reserve: number
}

/** Keeps backups in a folder. */
export function folderPlace({ folder, reserve }: Options): BackupPlace {
  const disk = diskReserve({ folder, reserve, refusal: '' })
  const inFolder = withOperatorError((error) => folderError(error, folder))
  const pathOf = (file: string) => join(folder, file)
  const namesIn = () => {
    ensurePrivateDir(folder)
    return readdir(folder)
  }

  return {
    name: folder,

    probe: () =>
      inFolder(async () => {
        ensurePrivateDir(folder)
        const probe = pathOf(`.probe-${randomBytes(6).toString('hex')}`)
        await writeFile(probe, 'probe', { mode: 0o600 })
        await rm(probe)
      }),

    assertRoom: (bytes) =>
      inFolder(async () => {
        ensurePrivateDir(folder)
        if (await disk.isShort(bytes)) throw noRoom(folder, { bytes, free: await disk.free(), reserve })
      }),

    sweep: () =>
      inFolder(async () => {
        for (const name of (await namesIn()).filter(isPartial)) await rm(pathOf(name), { force: true })
      }),

    store: <T>(file: string, { write, verify, signal }: Storing<T>) =>
      inFolder(async () => {
        ensurePrivateDir(folder)
        const path = pathOf(file)
        const done = await writeWholeFile(
          path,
          (to) => throughDisk(to, { disk, folder, signal }, write),
          (partial) => verify(addAbortSignal(signal, createReadStream(partial))),
        )
        return { done, bytes: (await statIfExists(path))!.size }
      }),

    list: () =>
      inFolder(async () => {
        const found = []
        for (const file of await namesIn()) {
          const bytes = (await statIfExists(pathOf(file)))?.size
          if (bytes !== undefined) found.push({ file, bytes })
        }
        return backupsAmong(found)
      }),

    read: async (file) => fileBytes(pathOf(file)),
    pathOf,
    remove: (file) => inFolder(() => rm(pathOf(file), { force: true })),
  }
}

type Watched = { disk: DiskReserve; folder: string; signal: AbortSignal }

/** Writes through a check of the free space, so that a wrong estimate does not fill the disk. */
async function throughDisk<T>(
  to: Writable,
  { disk, folder, signal }: Watched,
  write: (to: Writable) => Promise<T>,
): Promise<T> {
  let unchecked = 0
  const checked = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      unchecked += piece.length
      if (unchecked < CHECK_BYTES) return done(null, piece)
      unchecked = 0
      disk.free().then((free) => {
        const isShort = free !== undefined && free < disk.reserve
        done(isShort ? noRoom(folder, { free, reserve: disk.reserve }) : null, piece)
      }, done)
    },
  })
  const written = pipeline(checked, to, { signal })
  // The writer fails too, with a less exact error.
  written.catch(() => {})
  const outcome = await write(checked).catch(async (error: unknown) => {
    checked.destroy(error as Error)
    throw await written.then(
      () => error,
      (cause: unknown) => cause,
    )
  })
  await written
  return outcome
}

type Room = { bytes?: number; free: number | undefined; reserve: number }

function noRoom(folder: string, { bytes, free = 0, reserve }: Room): Error {
  const needs = bytes === undefined ? '' : `, and it needs about ${megabytes(bytes)}`
  return new Error(
    `There is too little free space for a backup in ${folder}: ${megabytes(free)} are free, ${megabytes(reserve)} must stay free (CAIRN_DISK_RESERVE_BYTES)${needs}. Free space, keep fewer backups, or set CAIRN_BACKUP_DIR to a folder on another disk`,
  )
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

function folderError(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Error(`The disk of ${folder} is full: free space, or set CAIRN_BACKUP_DIR to a folder on another disk`, {
      cause: error,
    })
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EIO'].includes(code ?? ''))
    return new Error(
      `Backups cannot be written to ${folder} (${code}): ${code === 'EROFS' ? 'it is read-only for the service, under systemd unless ReadWritePaths of the unit has it; allow it there' : 'let the account of the service write there'}, or change CAIRN_BACKUP_DIR`,
      { cause: error },
    )
  return error
}
