import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Process IDs are unique within one of these namespaces; several may share memory. */
const SPACE = '/proc/self/ns/pid'
const GB = 2 ** 30

/**
 * Puts temporary folders of this process and its children in memory, if the system has such a folder with enough space:
 * creating a database takes a fifth of the time, and tests create hundreds. An existing TMPDIR is kept.
 * @returns a function that removes all of it, and restores TMPDIR
 */
export function useInMemoryTmp(): () => void {
  if (process.env.TMPDIR || !existsSync(MEMORY) || !existsSync(SPACE)) return () => {}
  const ours = `cairn-tests-${readlinkSync(SPACE).replace(/\D/g, '')}-`
  removeLeft(ours)
  if (!hasRoom()) return () => {}
  const folder = mkdtempSync(join(MEMORY, `${ours}${process.pid}-`))
  // Same mode as /tmp: PostgreSQL runs as another account if tests are root.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return () => {
    delete process.env.TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Its content counts as memory of the machine or container. */
function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > 6 * GB && process.availableMemory() > 10 * GB
}

/** Removes folders of killed runs. */
function removeLeft(ours: string): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(ours) || existsSync(`/proc/${Number.parseInt(name.slice(ours.length), 10)}`)) continue
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true })
    } catch {
      // Owned by another account.
    }
  }
}
