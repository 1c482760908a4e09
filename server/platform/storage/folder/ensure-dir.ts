import { existsSync, lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A folder with those above it, made where they are missing. Node's own way never ends where a folder is there in which none can be made, as in /proc.
 * @param mode of those that are made @throws a sentence that names the folder */
export function ensureDir(folder: string, mode = 0o755): void {
  const path = resolve(folder)
  if (existsSync(path)) return
  const parent = dirname(path)
  ensureDir(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    throw new Error(`The folder ${path} cannot be made in ${parent} (${code})`, { cause: error })
  }
  handOver(path)
}

/** A folder that its owner alone may enter. */
export const ensurePrivateDir = (folder: string): void => ensureDir(folder, 0o700)

/** Gives what root has just made to the owner of the folder that it is in: so commands that root runs leave nothing that the service, which may be somebody else, cannot read. A link that somebody put in its place is not followed. */
export function handOver(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) lchownSync(path, uid, gid)
}
