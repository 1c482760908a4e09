import { randomBytes } from 'node:crypto'
import { chmod, link, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkKey, newKey, ObjectExists, type Objects, objectAddresses } from '../objects.ts'
import { isKey } from '../own-urls.ts'
import { spoolIn, statIfExists } from '../spool.ts'
import { ensurePrivateDir } from './ensure-dir.ts'

/** A slow reader holds about two of these. */
const READ_BYTES = 128 * 1024

const SPREAD = /^[a-z0-9]{2}$/

/**
 * Stores objects in a folder. Writes go to a temporary name, are synced to disk and then renamed, so that a crash
 * leaves the whole object or none.
 */
export function folderObjects({ folder, publicUrl }: { folder: string; publicUrl: () => string }): Objects {
  const pathOf = (key: string) => join(folder, checkKey(key))
  const partials = spoolIn(join(folder, 'partial'))
  return {
    ...objectAddresses(publicUrl),
    sweep: partials.sweep,

    async put(bytes, { key: given, extension, limit = Number.POSITIVE_INFINITY }) {
      const key = given ?? newKey(extension)
      const path = pathOf(key)
      return partials.hold(bytes, { limit, isSynced: true }, async (partial, written) => {
        ensurePrivateDir(dirname(path))
        if (given) await linkNew(partial, path)
        else await rename(partial, path)
        await syncFolder(dirname(path))
        return { key, ...written }
      })
    },
    async read(key, range) {
      // Opened now, so that a removal does not interrupt the read.
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      const bytes = file?.createReadStream({ ...range, highWaterMark: READ_BYTES })
      // It may fail before anybody listens, which must not end the process; readers get the error later.
      return bytes?.on('error', () => {})
    },
    async size(key) {
      return (await statIfExists(pathOf(key)))?.size
    },
    remove: async (key) => rm(pathOf(key), { force: true }),
    async *list() {
      for (const spread of (await namesIn(folder)).filter((name) => SPREAD.test(name)))
        for (const name of await namesIn(join(folder, spread))) {
          const key = `${spread}/${name}`
          const found = isKey(key) ? await statIfExists(join(folder, key)) : undefined
          if (found) yield { key, size: found.size, writtenAt: found.mtimeMs }
        }
    },
    async check() {
      ensurePrivateDir(folder)
      // Earlier releases may have created it open to all, but only those who know a key may read.
      await chmod(folder, 0o700)
      const probe = join(folder, `.probe-${randomBytes(6).toString('hex')}`)
      await (await open(probe, 'w')).close()
      await rm(probe)
    },
  }
}

async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** A hard link: unlike a rename it never replaces an existing file. */
async function linkNew(from: string, to: string) {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ObjectExists() : error
  })
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
