import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, canEnter, unprivilegedAccount } from '../database/embedded/data-directory.ts'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))
/** What is loaded later, some of it by processes of their own: whoever reads these reads the rest. */
const READ_LATER = [
  'server/app.ts',
  'server/modules/files/conversion/converter-process.ts',
  'usdz/package.json',
  'node_modules',
]

/** What is left to do as root, and after that to leave it. Undefined: this process is not root. */
export type Root = {
  /** Why it stays root: a sentence; undefined where it can leave. */
  stays: string | undefined
  /** Whether the port is one that root alone may listen on: it is left only after that. */
  listensFirst: boolean
  /** Becomes the account, for good. Does nothing where it stays root. */
  leave: () => void
}

/**
 * Prepares what a process that was started as root needs to go on as the account that the database runs as: the data
 * folder becomes that account's, once. It stays root where that account could not read the service's own code.
 */
export function leavingRoot({ dataDir, port }: { dataDir: string; port: number }): Root | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = accountFor(dataDir)
  if (typeof found === 'string') return { stays: found, listensFirst: false, leave: () => {} }
  giveFolder(dataDir, found)
  return {
    stays: undefined,
    listensFirst: port !== 0 && port < firstOpenPort(),
    leave() {
      // What was compiled on the way here is kept while it may be written.
      flushCompileCache()
      process.setgroups!([found.gid])
      process.setgid!(found.gid)
      process.setuid!(found.uid)
    },
  }
}

/** @returns the account, or why there is none: a sentence */
function accountFor(dataDir: string): Account | string {
  const isStaying = 'Started as root, Cairn stays root, and reads files of strangers in processes that are not:'
  let account: Account
  try {
    account = unprivilegedAccount()!
  } catch (error) {
    return `${isStaying} ${(error as Error).message}`
  }
  const reads = ['-c', 'for one; do test -r "$one" || exit 1; done; exec "$1" --version', 'sh', process.execPath]
  const files = READ_LATER.map((name) => join(PROJECT, name))
  const { status } = spawnSync('/bin/sh', [...reads, ...files], { ...account, cwd: '/', stdio: 'ignore' })
  if (status !== 0)
    return `${isStaying} its account "cairn" cannot read ${PROJECT}. Put it where everybody can read it, such as /opt, or start it as an ordinary user`
  if (!canEnter(dirname(realpathSync(dataDir)), account))
    return `${isStaying} its account "cairn" cannot enter ${dataDir}. Name another folder in CAIRN_DATA_DIR, such as /var/lib/cairn-data`
  return account
}

/** What the service keeps in its data folder. */
const OURS = /^(objects|incoming-\w+|moving-objects|resumable(-name)?|grids|secret|database)$/

/** The folder itself last: where that is the account's, all in it was given. */
function giveFolder(dataDir: string, { uid, gid }: Account): void {
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

/** The first port that not only root may listen on. */
function firstOpenPort(): number {
  const setting = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
  return existsSync(setting) ? Number(readFileSync(setting, 'utf8')) : 1024
}
