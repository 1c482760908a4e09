import { existsSync, lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents. Unlike Node's recursive mkdir it does not loop forever where no folder can
 * be created, as in /proc. @param mode of the created folders @throws a sentence that names the folder
 */
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
    throw new Error(`The folder ${path} cannot be created in ${parent} (${code})`, { cause: error })
  }
  giveToParentOwner(path)
}

/** Creates a folder that only its owner may enter. */
export const ensurePrivateDir = (folder: string): void => ensureDir(folder, 0o700)

/**
 * Gives what root has just created to the owner of the parent folder, so that commands run by root leave nothing
 * unreadable for the service. Does not follow links.
 */
export function giveToParentOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) lchownSync(path, uid, gid)
}
