import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureDir } from '../../storage/folder/ensure-dir.ts'

/** The account that runs PostgreSQL, which refuses to run as root. */
export type Account = { uid: number; gid: number }

/** Its name. */
export const DATABASE_ACCOUNT = 'cairn'
const ACCOUNTS = '/etc/passwd'
const SHARED = '/var/lib/cairn'

/** @returns the account for PostgreSQL if this process is root (created if missing), otherwise undefined */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = accountOf(DATABASE_ACCOUNT)
  if (found) return found
  const made = spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', DATABASE_ACCOUNT])
  const account = accountOf(DATABASE_ACCOUNT)
  if (!account)
    throw new Error(
      `PostgreSQL does not run as root and the account "${DATABASE_ACCOUNT}" could not be created (${made.error?.message ?? made.stderr}): create it, or run Cairn as an ordinary user`,
    )
  return account
}

/** The account of this name on this machine. */
export function accountOf(name: string): Account | undefined {
  if (!existsSync(ACCOUNTS)) return undefined
  const line = readFileSync(ACCOUNTS, 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/** Whether the account can enter a folder. */
export const canEnter = (folder: string, account: Account) =>
  spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0

/**
 * The folder `database` in `dataDir`, created if missing and usable by the account. If the account cannot enter a
 * parent (a 0700 home, for example), the folder is created below /var/lib/cairn and `database` links to it. @returns
 * the folder itself
 */
export function databaseFolder(dataDir: string, account: Account | undefined): string {
  ensureDir(dataDir)
  if (account) letPass(dataDir, account)
  const place = join(realpathSync(dataDir), 'database')
  if (existsSync(place)) return realpathSync(place)
  if (!account || canEnter(dataDir, account)) return made(place, account)
  mkdirSync(SHARED, { recursive: true, mode: 0o755 })
  // A new name each time: a recreated data folder must not find its old database.
  const elsewhere = made(join(SHARED, randomUUID()), account)
  try {
    symlinkSync(elsewhere, place)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    rmSync(elsewhere, { recursive: true })
  }
  return realpathSync(place)
}

/** Lets the account pass through a data folder of root to the database in it, without listing what else is there. */
function letPass(dataDir: string, { gid }: Account): void {
  if (statSync(dataDir).uid !== 0) return
  chownSync(dataDir, 0, gid)
  chmodSync(dataDir, 0o710)
}

function made(folder: string, account: Account | undefined) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

/**
 * The folder of PostgreSQL's programs that the account can run: the installed one, or a copy below /var/lib/cairn if it
 * cannot.
 */
export function reachablePrograms(native: string, version: string, account: Account | undefined): string {
  if (!account || canEnter(join(native, 'bin'), account)) return native
  const copy = join(SHARED, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 })
  const partial = `${copy}.${process.pid}`
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(partial, copy)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}
