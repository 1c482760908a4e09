import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './data-directory.ts'

/** PostgreSQL's programs: their folder, and those of their libraries. */
export type Programs = { bin: string; libraries: string[] }

/**
 * The size of a WAL segment, in megabytes. All commits wait while PostgreSQL creates one: 16 MB, the default, take 70 ms
 * on an ordinary disk.
 */
const WAL_SEGMENT_MB = 1

/** Whether the process exists. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The PostgreSQL that runs on this folder according to its `postmaster.pid` (lines: PID, data folder, start time, port,
 * socket folder), or undefined.
 */
export function postmasterOf(data: string): { pid: number; socketFolder: string } | undefined {
  try {
    const [pid, , , , socketFolder] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    if (!alive(Number(pid)) || !isPostgres(Number(pid)) || !socketFolder) return undefined
    return { pid: Number(pid), socketFolder }
  } catch {
    return undefined
  }
}

/** A PID may be reused, for example after a reboot: check the command where the system shows it. */
function isPostgres(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    return process.platform !== 'linux'
  }
}

/**
 * Creates a database cluster: UTF-8, the built-in C.UTF-8 collation (the same on every machine), passwords required.
 */
export async function initdb(programs: Programs, data: string, passwordFile: string, account?: Account): Promise<void> {
  const args = ['-D', data, '-U', 'cairn', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  args.push('--locale=C', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions')
  args.push(`--wal-segsize=${WAL_SEGMENT_MB}`)
  // Iterations slow down guesses of a password. This one is random: 384 bits.
  args.push('-c', 'scram_iterations=1')
  const child = spawn(join(programs.bin, 'initdb'), args, { ...account, cwd: '/', env: environment(programs) })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`The database folder ${data} could not be created:\n${output.trim()}`)
}

/**
 * Starts PostgreSQL on a socket file, in its own process group, so that Ctrl-C reaches Cairn only and Cairn stops
 * PostgreSQL last. @returns its PID
 */
export function spawnPostgres(
  programs: Programs,
  data: string,
  socketFolder: string,
  logFile: string,
  settings: Record<string, string>,
  account?: Account,
): number {
  const all = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    // Less than the lock timeout of a request.
    deadlock_timeout: '500ms',
    // Its log has the error and its relation, without the rows, parameters and statements, which contain personal data.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    shared_buffers: '128MB',
    // By default one segment at most.
    wal_buffers: '4MB',
    // initdb derives these from the segment size.
    min_wal_size: '80MB',
    max_wal_size: '1GB',
    ...settings,
  }
  const log = openSync(logFile, 'a', 0o600)
  try {
    const child = spawn(
      join(programs.bin, 'postgres'),
      ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...account, cwd: '/', env: environment(programs), detached: true, stdio: ['ignore', log, log] },
    )
    child.on('error', () => {})
    child.unref()
    if (!child.pid) throw new Error(`PostgreSQL could not be started from ${programs.bin}`)
    return child.pid
  } finally {
    closeSync(log)
  }
}

/**
 * Fast shutdown (SIGINT) and, after 20 s, immediate shutdown (SIGQUIT), from which PostgreSQL recovers at the next
 * start.
 */
export async function stopPostgres(pid: number): Promise<void> {
  for (const [signal, tries] of [
    ['SIGINT', 1000],
    ['SIGQUIT', 250],
  ] as const) {
    if (!alive(pid)) return
    process.kill(pid, signal)
    for (let i = 0; i < tries && alive(pid); i++) await sleep(20)
  }
}

const environment = ({ libraries }: Programs) => ({
  PATH: process.env.PATH ?? '',
  [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries.join(delimiter),
  LC_ALL: 'C',
  TZ: 'UTC',
})
