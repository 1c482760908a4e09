import { access, constants, stat } from 'node:fs/promises'

/** The size of a backup's file in bytes. @throws a sentence if it is not a file that can be read */
export async function backupSize(file: string): Promise<number> {
  try {
    await access(file, constants.R_OK)
    const found = await stat(file)
    if (found.isFile()) return found.size
  } catch (error) {
    throw new Error(`"${file}" cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error })
  }
  throw new Error(`"${file}" is not a file`)
}
