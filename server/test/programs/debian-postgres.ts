import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { requirePrograms } from './debian-packages.ts'
import { steadyPort } from './steady-port.ts'

const run = promisify(execFile)
const PROGRAMS = '/usr/lib/postgresql/15/bin'
const READY_MS = 60_000

export type DebianPostgres = Awaited<ReturnType<typeof startDebianPostgres>>

type Options = {
  /** By default a free port. */
  port?: number
  /** Additional settings of PostgreSQL. */
  settings?: Record<string, string | number>
  /** Fills the empty folder; by default `initdb` creates a cluster. */
  fill?: (folder: string, program: RunProgram) => Promise<unknown>
}

/** Runs a PostgreSQL program as the account of the server. */
export type RunProgram = (program: string, ...args: string[]) => Promise<unknown>

/** A PostgreSQL 15 of Debian in a temporary folder, on loopback, with the trusted superuser `cairn`. As root it runs as the account postgres. */
export async function startDebianPostgres({ port, settings = {}, fill }: Options = {}) {
  requirePrograms('/usr/lib/postgresql/15/bin/initdb')
  const folder = await mkdtemp(join(tmpdir(), 'cairn-postgres15-'))
  const account = process.getuid?.() === 0 ? postgresAccount() : {}
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid!)
  const data = join(folder, 'data')
  const program: RunProgram = (name, ...args) => run(join(PROGRAMS, name), args, { ...account, cwd: folder })
  if (fill) await fill(data, program)
  else await program('initdb', '-D', data, '-U', 'cairn', '-E', 'UTF8', '--locale=C', '--auth=trust')

  const at = port ?? (await steadyPort())
  const all = { listen_addresses: '127.0.0.1', port: at, unix_socket_directories: folder, ...settings }
  const url = `postgres://cairn@127.0.0.1:${at}/postgres`
  let child: ChildProcess

  async function start(): Promise<void> {
    const given = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const run = () =>
      spawn(join(PROGRAMS, 'postgres'), ['-D', data, ...given], { ...account, cwd: folder, stdio: 'ignore' })
    child = run()
    const deadline = Date.now() + READY_MS
    while (!(await answers(url))) {
      if (Date.now() > deadline) throw new Error('PostgreSQL 15 did not start')
      // Processes of a killed server may still be alive: until they end it does not start.
      if (child.exitCode !== null) child = run()
      await sleep(50)
    }
  }

  /** @param signal SIGTERM waits for clients, SIGINT ends their transactions, SIGQUIT ends without a checkpoint */
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // A paused process handles no signal.
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }

  await start()
  return {
    url,
    port: at,
    folder,
    /** The running postmaster. */
    get child() {
      return child
    },
    /** Starts it again on its data, and waits until it responds. */
    start,
    /** Ends it like an outage: without a checkpoint, clients are disconnected. `start` replays its log. */
    stopImmediate: () => end('SIGQUIT'),
    end,
    /** Ends it cleanly and removes its data. */
    async stop() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
    program,
  }
}

function postgresAccount(): { uid?: number; gid?: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))!
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

async function answers(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
