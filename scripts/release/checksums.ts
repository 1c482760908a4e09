import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Writes SHA256SUMS of all files of a folder, as `sha256sum --check` reads it. @returns its text */
export async function writeChecksums(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').toSorted()
  const lines: string[] = []
  for (const name of names) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, name)), hash)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
  return lines.join('')
}
