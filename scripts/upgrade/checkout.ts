import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsIn } from '../../server/platform/database/migrate/migrate.ts'

const ROOT = join(import.meta.dirname, '../..')
const LOCK = 'package-lock.json'

/** One version of the project in a folder, ready to run. */
export type Checkout = {
  /** As git names it, or "this version". */
  name: string
  folder: string
  version: string
  /** Its migrations in order, with their texts. */
  migrations: { name: string; sql: string }[]
  remove: () => void
}

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
const textOf = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

/** Stands for the newest release until there is one: the last revision of main before migration 0036. */
const BEFORE_RELEASES = 'db4457c3a4ede88153b70f4c846a1f62b22c3c5e'

/** The released versions, newest first: the tags v1.2.3. Without any, an earlier revision. */
export function releases(): string[] {
  const tags = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n').filter(Boolean)
  return tags.length > 0 ? tags : [BEFORE_RELEASES]
}

/** The version in this folder. */
export const thisVersion = (): Promise<Checkout> => described('this version', ROOT, () => {})

/** Another version, in a git worktree below the folder of temporary files. @throws a sentence if git has none of this name */
export async function checkoutOf(ref: string): Promise<Checkout> {
  const commit = commitOf(ref)
  const parent = mkdtempSync(join(tmpdir(), 'cairn-upgrade-'))
  // The account of the database reads it when the service is started by root.
  chmodSync(parent, 0o755)
  const folder = join(parent, 'earlier')
  const remove = () => {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT, stdio: 'ignore' })
    rmSync(parent, { recursive: true, force: true })
  }
  git('worktree', 'add', '--detach', folder, commit)
  try {
    install(folder)
    return await described(`${ref} (${commit.slice(0, 8)})`, folder, remove)
  } catch (error) {
    remove()
    throw error
  }
}

function commitOf(ref: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
  } catch {
    throw new Error(`git knows no version "${ref}": name a tag or a commit`)
  }
}

/** Links what is installed here if the other version has the same packages, else installs them. */
function install(folder: string): void {
  if (packagesOf(folder) !== packagesOf(ROOT)) {
    console.log('  installs the packages of the earlier version, which are others')
    execFileSync('sh', ['scripts/install.sh'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    return
  }
  // Sandboxed processes may read what a link names, but no link behind it. The server imports nothing of the workspaces by name, so links to those of this folder do no harm.
  for (const workspace of ['.', 'server', 'usdz']) {
    const installed = join(ROOT, workspace, 'node_modules')
    if (existsSync(installed)) symlinkSync(realpathSync(installed), join(folder, workspace, 'node_modules'))
  }
}

/** The installed packages with their versions, without the workspaces, whose versions differ in each release. */
function packagesOf(folder: string): string {
  const { packages } = JSON.parse(textOf(folder, LOCK)) as { packages: Record<string, { link?: boolean }> }
  return JSON.stringify(
    Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link),
  )
}

async function described(name: string, folder: string, remove: () => void): Promise<Checkout> {
  const { version } = JSON.parse(textOf(folder, 'package.json')) as { version: string }
  return { name, folder, version, migrations: await migrationsIn(join(folder, 'server', 'migrations')), remove }
}
