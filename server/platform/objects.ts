import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { HttpError } from './errors.ts'

export type StoredObject = { key: string; size: number; sha256: string; head: Buffer }

/** Where the bytes of files are kept. Keys are made here, never by callers, and cannot be guessed: they are addresses. */
export type Objects = {
  /** Streams bytes in, hashing on the way. Nothing is visible under the key until every byte is on disk.
   * @param limit bytes at most; more is 413 and leaves nothing behind. */
  put: (bytes: AsyncIterable<Uint8Array>, options: { extension: string; limit?: number }) => Promise<StoredObject>
  /** @returns undefined when there is no such object. `end` is inclusive. */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable | undefined>
  size: (key: string) => Promise<number | undefined>
  remove: (key: string) => Promise<void>
  /** The address at which the service hands the object out, and back. */
  addressOf: (key: string) => string
  keyOf: (address: string) => string | undefined
  /** Whether objects can be written now. */
  check: () => Promise<void>
  /** Removes what writes left unfinished when their process was killed.
   * @param olderThanMs since the last byte was written; 0 takes all, which is right while nobody writes.
   * @returns how many there were. */
  sweep: (options: { olderThanMs: number }) => Promise<number>
}

const KEY = /^[a-z0-9]{2}\/[A-Za-z0-9_-]{22}(\.[a-z0-9]{1,12})?$/
const HEAD_BYTES = 4100

/** Objects in a folder. Writes go to a temporary name, are synced to disk and then renamed (so a crash leaves the whole object or none). */
export function folderObjects({ folder, publicUrl }: { folder: string; publicUrl: () => string }): Objects {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new HttpError(404, 'There is no such file')
    return join(folder, key)
  }
  const partials = join(folder, 'partial')
  return {
    async put(bytes, { extension, limit = Number.POSITIVE_INFINITY }) {
      const key = newKey(extension)
      const path = pathOf(key)
      const partial = join(partials, key.replace('/', '-'))
      await mkdir(dirname(path), { recursive: true })
      await mkdir(dirname(partial), { recursive: true })
      try {
        const written = await writeSynced(partial, bytes, limit)
        await rename(partial, path)
        await syncFolder(dirname(path))
        return { key, ...written }
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async read(key, range) {
      const path = pathOf(key)
      if ((await this.size(key)) === undefined) return undefined
      return createReadStream(path, { ...range, highWaterMark: 1024 * 1024 })
    },
    async size(key) {
      try {
        return (await stat(pathOf(key))).size
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    addressOf: (key) => `${publicUrl()}/files/${key}`,
    keyOf(address) {
      const prefix = `${publicUrl()}/files/`
      const key = address.startsWith(prefix) ? address.slice(prefix.length) : ''
      return KEY.test(key) ? key : undefined
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
        const written = await stat(path).catch(() => undefined)
        if (!written || written.mtimeMs >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
  }
}

/** Two letters that spread the folder, then 128 random bits. */
function newKey(extension: string) {
  const name = randomBytes(16).toString('base64url')
  const spread = createHash('sha256').update(name).digest('hex').slice(0, 2)
  const suffix = extension.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${spread}/${name}${suffix ? `.${suffix.slice(0, 12)}` : ''}`
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
