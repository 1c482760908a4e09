import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HttpError } from './errors.ts'
import { isKey, newKey, ObjectExists, type Objects, objectAddresses } from './objects.ts'

const HEAD_BYTES = 4100
const SPREAD = /^[a-z0-9]{2}$/

/** Objects in a folder. Writes go to a temporary name, are synced to disk and then renamed (so a crash leaves the whole object or none). */
export function folderObjects({ folder, publicUrl }: { folder: string; publicUrl: () => string }): Objects {
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new HttpError(404, 'There is no such file')
    return join(folder, key)
  }
  const partials = join(folder, 'partial')
  return {
    ...objectAddresses(publicUrl),

    async put(bytes, { key: given, extension, limit = Number.POSITIVE_INFINITY }) {
      const key = given ?? newKey(extension)
      const path = pathOf(key)
      const partial = join(partials, `${key.replace('/', '-')}-${randomBytes(4).toString('hex')}`)
      await mkdir(dirname(path), { recursive: true })
      await mkdir(dirname(partial), { recursive: true })
      try {
        const written = await writeSynced(partial, bytes, limit)
        if (given) await linkNew(partial, path)
        else await rename(partial, path)
        await syncFolder(dirname(path))
        return { key, ...written }
      } finally {
        await rm(partial, { force: true })
      }
    },
    async read(key, range) {
      const path = pathOf(key)
      if ((await this.size(key)) === undefined) return undefined
      return createReadStream(path, { ...range, highWaterMark: 1024 * 1024 })
    },
    async size(key) {
      return (await statOf(pathOf(key)))?.size
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async *list() {
      for (const spread of (await readdir(folder).catch(() => [])).filter((name) => SPREAD.test(name)))
        for (const name of await readdir(join(folder, spread))) {
          const key = `${spread}/${name}`
          const found = isKey(key) ? await statOf(join(folder, key)) : undefined
          if (found) yield { key, size: found.size, writtenAt: found.mtimeMs }
        }
    },
    async check() {
      await mkdir(folder, { recursive: true })
      const probe = join(folder, `.probe-${randomBytes(6).toString('hex')}`)
      await (await open(probe, 'w')).close()
      await rm(probe)
    },
    async sweep({ olderThanMs }) {
      await mkdir(partials, { recursive: true })
      // Files carry fractions of the millisecond that the clock says.
      const before = Date.now() + 1 - olderThanMs
      let removed = 0
      for (const name of await readdir(partials)) {
        const path = join(partials, name)
        const written = await statOf(path)
        if (!written || written.mtimeMs >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
  }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A second name for the same bytes: unlike a rename it never replaces what is there. */
async function linkNew(from: string, to: string) {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ObjectExists() : error
  })
}

async function writeSynced(path: string, bytes: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash('sha256')
  const heads: Uint8Array[] = []
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) {
      if (size < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - size))
      size += chunk.length
      if (size > limit) throw new HttpError(413, `The file is larger than ${limit} bytes`)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(heads) }
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
