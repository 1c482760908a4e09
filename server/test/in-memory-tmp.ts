import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Process ids mean something within one of these; memory may be shared by several. */
const SPACE = '/proc/self/ns/pid'
const GB = 2 ** 30

/**
 * From here on temporary folders of this process, and of those that it starts, lie in memory, where the system has a folder
 * for it with room: a database is made there in a fifth of the time, and tests make hundreds. Where TMPDIR is set it stays.
 * @returns what removes all of it, and puts TMPDIR back
 */
export function useInMemoryTmp(): () => void {
  if (process.env.TMPDIR || !existsSync(MEMORY) || !existsSync(SPACE)) return () => {}
  const ours = `cairn-tests-${readlinkSync(SPACE).replace(/\D/g, '')}-`
  removeLeft(ours)
  if (!hasRoom()) return () => {}
  const folder = mkdtempSync(join(MEMORY, `${ours}${process.pid}-`))
  // As /tmp is: PostgreSQL runs as another account where tests are root.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return () => {
    delete process.env.TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is kept there counts as memory of whoever keeps it. */
function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > 6 * GB && process.availableMemory() > 10 * GB
}

/** Of runs that were killed. */
function removeLeft(ours: string): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(ours) || existsSync(`/proc/${Number.parseInt(name.slice(ours.length), 10)}`)) continue
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true })
    } catch {
      // Another account's.
    }
  }
}
