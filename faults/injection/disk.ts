import { execFile } from 'node:child_process'
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newFolder } from '../../server/test/process.ts'

const run = promisify(execFile)

export type SmallDisk = Awaited<ReturnType<typeof smallDisk>>

/** Mounts a disk of that many bytes with a folder on it: a tmpfs, which requires root. @throws an error if that is not allowed */
export async function smallDisk(bytes: number) {
  const around = await newFolder()
  const folder = join(around, 'disk')
  await mkdir(folder)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder]).catch((error: Error) => {
    throw new Error(`A small disk cannot be mounted here: run this as root, where mount is allowed (${error.message})`)
  })
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** A data folder on it, accessible to any account. */
    async newFolder(): Promise<string> {
      const path = join(folder, 'data')
      await mkdir(path, { mode: 0o755 })
      return path
    },
    /** Writes until the disk is full. */
    async fill(): Promise<void> {
      const file = await open(ballast, 'a')
      try {
        for (let piece = 1024 * 1024; piece >= 512; ) {
          const written = await file.write(Buffer.alloc(piece)).catch(() => undefined)
          if (!written || written.bytesWritten < piece) piece /= 2
        }
      } finally {
        await file.close()
      }
    },
    /** Frees the space taken by `fill`. */
    relieve: () => rm(ballast, { force: true }),
    /** The paths of all files below this folder of the disk. */
    async filesIn(path: string): Promise<string[]> {
      const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    },
    /** Unmounts the disk and deletes its content. */
    async remove(): Promise<void> {
      await run('umount', ['-l', folder])
      await rmdir(folder)
      await rm(around, { recursive: true, force: true })
    },
  }
}
