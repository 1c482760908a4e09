import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A folder with those above it, made where they are missing. Node's own way never ends where a folder is there in which none can be made, as in /proc.
 * @throws a sentence that names the folder */
export function madeFolder(folder: string): void {
  const path = resolve(folder)
  if (existsSync(path)) return
  const parent = dirname(path)
  madeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    throw new Error(`The folder ${path} cannot be made in ${parent} (${code})`, { cause: error })
  }
}
