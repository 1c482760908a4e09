import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ensureDir } from '../../../platform/storage/folder/ensure-dir.ts'
import { type PmtilesInfo, readPmtiles } from './pmtiles.ts'

const PARTIAL = '.partial-'
const STALE_MS = 60 * 60_000

/**
 * Copies an archive into the folder, under the SHA-256 of its bytes, and removes the archives before it. Another
 * process finds either of them whole. @throws UnusableArchive if it cannot be drawn
 */
export async function addArchive(
  source: string,
  folder: string,
): Promise<PmtilesInfo & { path: string; bytes: number }> {
  const info = await readPmtiles(source)
  ensureDir(folder)
  const partial = join(folder, PARTIAL + randomBytes(6).toString('hex'))
  try {
    const hash = createHash('sha256')
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    await pipeline(createReadStream(source), hashing, createWriteStream(partial, { flush: true }))
    const path = join(folder, `${hash.digest('hex')}.pmtiles`)
    await rename(partial, path)
    // The newest is drawn, and an archive that is added again may have an old copy here.
    await utimes(path, new Date(), new Date())
    await removeArchives(folder, path)
    await removePartial(folder)
    return { ...info, path, bytes: (await stat(path)).size }
  } finally {
    await rm(partial, { force: true })
  }
}

/** Removes the archives of the folder. @param kept stays @returns their number */
export async function removeArchives(folder: string, kept?: string): Promise<number> {
  const archives = (await archivesIn(folder)).filter((path) => path !== kept)
  await Promise.all(archives.map((path) => rm(path, { force: true })))
  return archives.length
}

/** The paths of the archives in the folder. */
export const archivesIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder)).filter((name) => name.endsWith('.pmtiles')).map((name) => join(folder, name))

/** Removes what interrupted copies left. A copy that is under way is younger. */
async function removePartial(folder: string): Promise<void> {
  for (const name of (await namesIn(folder)).filter((name) => name.startsWith(PARTIAL))) {
    const about = await stat(join(folder, name)).catch(() => undefined)
    if (about && Date.now() - about.mtimeMs > STALE_MS) await rm(join(folder, name), { force: true })
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
