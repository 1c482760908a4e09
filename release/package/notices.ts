import { glob, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { CUT } from './cut-packages.ts'
import { installed, ROOT } from './folders.ts'

type Manifest = {
  name: string
  version: string
  license?: string
  repository?: string | { url: string }
  dependencies?: Record<string, string>
}

/** Packages of the console's build that nothing of is left in. */
const BUILDS_ONLY = /^(@cairn\/sdk|@types\/.*|@vitejs\/.*|axe-core|playwright-core|vite)$/

/**
 * The packages that the package contains, each with its version, its source and its licence: those of the bundled
 * modules, of the copied files and of the console.
 */
export async function notices(modules: string[]): Promise<string> {
  const folders = new Set([
    ...modules.map(packageOf).filter((folder) => folder !== undefined),
    ...Object.keys(CUT).map(installed),
    ...(await packagesOfConsole()),
  ])
  const texts = await Promise.all([...folders].map(noticeOf))
  const line = '='.repeat(100)
  return ['Cairn contains these packages.', ...texts.toSorted()].join(`\n\n${line}\n`)
}

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

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license, repository } = await manifestOf(folder)
  const source = typeof repository === 'object' ? repository.url : repository
  const texts: string[] = []
  for await (const file of glob('{LICENSE,LICENCE,COPYING,NOTICE,license,licence,notice}*', { cwd: folder }))
    texts.push((await readFile(join(folder, file), 'utf8').catch(() => '')).trim())
  return [`${name} ${version}`, `License: ${license ?? 'see below'}`, `Source: ${source ?? `npm, ${name}`}`, ...texts]
    .filter(Boolean)
    .join('\n\n')
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
