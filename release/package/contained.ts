import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { CUT } from './cut-packages.ts'
import { installed, ROOT } from './folders.ts'

/** Packages of the console's build that nothing of is left in. */
const BUILDS_ONLY = /^(@cairn\/sdk|@types\/.*|@vitejs\/.*|axe-core|playwright-core|vite)$/

/**
 * The folders of the packages that the package contains: those of the bundled modules, of the copied files and of the
 * console.
 */
export async function containedPackages(modules: string[]): Promise<string[]> {
  return [...new Set([...packagesOf(modules), ...Object.keys(CUT).map(installed), ...(await packagesOfConsole())])]
}

/** The folders of the packages that these bundled files are from. */
export const packagesOf = (modules: string[]): string[] => [
  ...new Set(modules.map(packageOf).filter((folder) => folder !== undefined)),
]

/** The folder of the package that a bundled file is from; undefined for Cairn's own. */
function packageOf(file: string): string | undefined {
  const names = file.replace(/^\0/, '').split(sep)
  const at = names.lastIndexOf('node_modules')
  if (at < 0) return undefined
  return names.slice(0, at + (names[at + 1]!.startsWith('@') ? 3 : 2)).join(sep)
}

/** The packages that the console names, and those that they need. */
async function packagesOfConsole(): Promise<string[]> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'web', 'package.json'), 'utf8'))
  const found = new Set<string>()
  const waiting = Object.keys(devDependencies).filter((name) => !BUILDS_ONLY.test(name))
  for (const name of waiting) {
    const folder = await folderOf(name)
    if (folder === undefined || found.has(folder)) continue
    found.add(folder)
    const { dependencies = {} } = await manifestOf(folder)
    waiting.push(...Object.keys(dependencies).filter((needed) => !BUILDS_ONLY.test(needed)))
  }
  return [...found]
}

async function folderOf(name: string): Promise<string | undefined> {
  for (const folder of [join(ROOT, 'web', 'node_modules', name), installed(name)])
    if (await manifestOf(folder).catch(() => undefined)) return folder
  return undefined
}

type Manifest = {
  name: string
  version: string
  license?: string
  description?: string
  repository?: string | { url: string }
  dependencies?: Record<string, string>
}

export const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
