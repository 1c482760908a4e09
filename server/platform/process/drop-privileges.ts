import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, canEnter, unprivilegedAccount } from '../database/embedded/data-directory.ts'
import { codeFolders, programFile, projectFile } from './project-files.ts'

/** Code loaded later, some of it by other processes: an account that can read this can read the rest. */
const readLater = () => [
  ...['server/cli', 'server/modules/files/conversion/converter-process'].map((path) =>
    fileURLToPath(programFile(path)),
  ),
  ...codeFolders(),
]

/** What remains to do as root, and how to drop it. Undefined if this process is not root. */
export type Root = {
  /** Why the process stays root: a sentence; undefined if it can drop root. */
  stays: string | undefined
  /** Whether the port needs root to listen: root is dropped only after that. */
  listensFirst: boolean
  /** Switches to the account permanently; does nothing if the process stays root. */
  leave: () => void
}

/**
 * Prepares a process that was started as root to continue as the account of the embedded database, and gives that
 * account the data folder. The process stays root if the account could not read the service's code.
 */
export function prepareToDropRoot({ dataDir, port }: { dataDir: string; port: number }): Root | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = accountFor(dataDir)
  if (typeof found === 'string') return { stays: found, listensFirst: false, leave: () => {} }
  giveFolder(dataDir, found)
  return {
    stays: undefined,
    listensFirst: port !== 0 && port < firstOpenPort(),
    leave() {
      // Save what was compiled so far while it is still writable.
      flushCompileCache()
      process.setgroups!([found.gid])
      process.setgid!(found.gid)
      process.setuid!(found.uid)
    },
  }
}

/** @returns the account, or the reason why there is none */
function accountFor(dataDir: string): Account | string {
  const isStaying = 'Started as root, Cairn stays root and parses untrusted files in processes that are not:'
  let account: Account
  try {
    account = unprivilegedAccount()!
  } catch (error) {
    return `${isStaying} ${(error as Error).message}`
  }
  const reads = ['-c', 'for one; do test -r "$one" || exit 1; done; exec "$1" --version', 'sh', process.execPath]
  const { status } = spawnSync('/bin/sh', [...reads, ...readLater()], { ...account, cwd: '/', stdio: 'ignore' })
  if (status !== 0)
    return `${isStaying} its account "cairn" cannot read ${projectFile('.')}. Move Cairn to a folder that all users can read, such as /opt, or start Cairn as an ordinary user`
  if (!canEnter(dirname(realpathSync(dataDir)), account))
    return `${isStaying} its account "cairn" cannot enter ${dataDir}. Name another folder in CAIRN_DATA_DIR, such as /var/lib/cairn-data`
  return account
}

/** What the service stores in its data folder. */
const OURS =
  /^(objects|incoming-\w+|moving-objects|resumable(-name)?|grids|basemap|backups|secret|database|version\.json)$/

/** Changes the owner of the folder itself last: if the account owns it, everything in it is done. */
function giveFolder(dataDir: string, { uid, gid }: Account): void {
  chmodSync(dataDir, 0o700)
  if (statSync(dataDir).uid === uid) return
  const inside = readdirSync(dataDir)
    .filter((name) => OURS.test(name))
    .map((name) => join(dataDir, name))
  if (inside.length > 0) {
    const { status, stderr } = spawnSync('chown', ['-R', '-h', `${uid}:${gid}`, '--', ...inside])
    if (status !== 0) throw new Error(`The data folder could not be given to the account "cairn": ${stderr}`)
  }
  chownSync(dataDir, uid, gid)
}

/** The lowest port that does not need root. */
function firstOpenPort(): number {
  const setting = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
  return existsSync(setting) ? Number(readFileSync(setting, 'utf8')) : 1024
}
