import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Log } from '../../../platform/logging/log.ts'
import { type PmtilesInfo, readPmtiles, UnusableArchive } from './pmtiles.ts'

/** An archive that can be drawn. `hash` is the SHA-256 of its bytes. */
export type Archive = PmtilesInfo & { path: string; name: string; bytes: number; hash: string }

/** The archive of the service: none, one that is being read, one that cannot be used, or one that is drawn. */
export type ArchiveState =
  | { state: 'none' }
  | { state: 'reading' | 'unusable'; name: string; bytes: number; fault: string | null }
  | { state: 'ready'; archive: Archive }

type Candidate = { path: string; bytes: number; changed: number; key: string }

/** Files that `cairn basemap add` writes are named by their hash. */
const HASHED = /^([0-9a-f]{64})\.pmtiles$/

type Deps = {
  /** The file that a setting names. */
  file: string | undefined
  /** The folder that is searched otherwise. */
  folder: string
  log: Log
}

export type ArchiveFolder = ReturnType<typeof archiveFolder>

/**
 * Finds the PMTiles archive that the service draws. It looks at the folder on each call, so that a file that is added
 * or replaced is found without a restart, and reads a file only when it has changed.
 */
export function archiveFolder({ file, folder, log }: Deps) {
  let known: { key: string; state: ArchiveState } | undefined

  async function read({ path, bytes, key }: Candidate): Promise<void> {
    const name = basename(path)
    const state = await readPmtiles(path)
      .then(async (info): Promise<ArchiveState> => {
        const hash = HASHED.exec(name)?.[1] ?? (await hashOf(path))
        return { state: 'ready', archive: { ...info, path, name, bytes, hash } }
      })
      .catch((error: Error): ArchiveState => {
        const fault = error instanceof UnusableArchive ? error.message : `cannot be read: ${error.message}`
        log.warn({ path, fault }, 'the basemap cannot be used')
        return { state: 'unusable', name, bytes, fault }
      })
    if (known?.key !== key) return
    known = { key, state }
    if (state.state === 'ready') log.info({ path, hash: state.archive.hash }, 'the basemap is ready')
  }

  return {
    /** The state of the newest archive. An archive that is new here is read in the background. */
    async look(): Promise<ArchiveState> {
      const candidate = await newest(file, folder)
      if (!candidate) {
        known = undefined
        return file ? { state: 'unusable', name: basename(file), bytes: 0, fault: 'does not exist' } : { state: 'none' }
      }
      if (known?.key !== candidate.key) {
        const { path, bytes, key } = candidate
        known = { key, state: { state: 'reading', name: basename(path), bytes, fault: null } }
        void read(candidate)
      }
      return known.state
    },
  }
}

async function newest(file: string | undefined, folder: string): Promise<Candidate | undefined> {
  const names = file ? [] : await readdir(folder).catch(() => [])
  const paths = file ? [file] : names.filter((name) => /^[^.].*\.pmtiles$/.test(name)).map((name) => join(folder, name))
  const found = await Promise.all(
    paths.map(async (path): Promise<Candidate | undefined> => {
      const about = await stat(path).catch(() => undefined)
      if (!about?.isFile()) return undefined
      const { size, mtimeMs, ino } = about
      return { path, bytes: size, changed: mtimeMs, key: [path, size, mtimeMs, ino].join('\0') }
    }),
  )
  return found
    .filter((one) => one !== undefined)
    .sort((a, b) => b.changed - a.changed || a.path.localeCompare(b.path))[0]
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
