import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ensureDir } from '../../../platform/storage/folder/ensure-dir.ts'
import { type PmtilesInfo, readPmtiles } from './pmtiles.ts'

const PARTIAL = '.partial-'

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
    return { ...info, path, bytes: (await stat(path)).size }
  } finally {
    await rm(partial, { force: true })
  }
}

/** Removes the archives of the folder, and what interrupted copies left. @param kept stays @returns their number */
export async function removeArchives(folder: string, kept?: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const archives = names.filter((name) => name.endsWith('.pmtiles') && join(folder, name) !== kept)
  const partial = names.filter((name) => name.startsWith(PARTIAL))
  await Promise.all([...archives, ...partial].map((name) => rm(join(folder, name), { force: true })))
  return archives.length
}
