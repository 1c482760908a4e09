import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf, DEBIAN_ARCHITECTURES } from '../archive/machines.ts'
import { ROOT } from '../package/folders.ts'

/** The folder of this run, with a minimal Debian in `debian`. */
const folder = () => process.env.CAIRN_TEST_INSTALL!

/** The minimal Debian, which tests copy. */
export const debianBase = (): string => join(folder(), 'debian')

/** The Debian package of this version. */
export function debianPackage(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return join(ROOT, 'dist', `cairn-server_${version}_${DEBIAN_ARCHITECTURES[cpuOf(process.arch)]}.deb`)
}

/** A new folder on the disk that every account may enter; the run removes it. */
export function folderOf(what: string): string {
  const created = mkdtempSync(join(folder(), `${what}-`))
  chmodSync(created, 0o755)
  return created
}

/** Runs a program. @returns its output @throws with what it printed if it fails */
export const run = (program: string, words: string[], environment: Record<string, string> = {}): string =>
  execFileSync(program, words, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    maxBuffer: 2 ** 26,
    // For what hangs: a registry that does not answer.
    timeout: 600_000,
  })
