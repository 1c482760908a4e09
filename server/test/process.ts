import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Timeout for hanging, not for slowness. */
const START_MS = 120_000
const MAIN = join(ROOT, 'server', 'main.ts')

export type ServiceProcess = {
  child: ChildProcess
  url: string
  output: () => string
  /** Waits for the end. @returns the exit code, or the signal's name. */
  ended: Promise<number | string>
}

/** A data folder that an unprivileged PostgreSQL can reach. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-process-'))
  await chmod(folder, 0o755)
  return folder
}

/** Starts `server/main.ts` as a process on this data folder, with the embedded PostgreSQL. Resolves once it prints its URL; rejects with its output if it ends before, or after two minutes. */
export async function startProcess(
  dataDir: string,
  { command = [process.execPath, MAIN], settings = {} as Record<string, string> } = {},
): Promise<ServiceProcess> {
  const env = {
    ...withoutCairn(process.env),
    CAIRN_DATA_DIR: dataDir,
    CAIRN_PORT: '0',
    CAIRN_LOG_LEVEL: 'warn',
    ...settings,
  }
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listen = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout!.on('data', listen)
  child.stderr!.on('data', listen)
  const ended = new Promise<number | string>((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal!)))
  let over = false
  void ended.then(() => {
    over = true
  })
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(10)) {
    const [, url] = /Cairn is at (http:\S+)/.exec(output) ?? []
    if (url) return { child, url, output: () => output, ended }
    if (over) throw new Error(output)
  }
  child.kill('SIGKILL')
  throw new Error(`It did not print its URL within ${START_MS / 1000} s. ${output}`)
}

/** Environment that a process needs besides settings: the search path, and the compile cache. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}

function withoutCairn(environment: NodeJS.ProcessEnv) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(CAIRN_|npm_)/.test(name)))
}

/** The PID of the PostgreSQL on this data folder, or undefined if none runs. */
export function postgresPid(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'database', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

/** Polls until it returns 200, for at most a minute. */
export async function untilReady(url: string): Promise<boolean> {
  for (let i = 0; i < 600; i++) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (ready) return true
    await sleep(100)
  }
  return false
}

/** Ends and removes everything that a test left in this folder. */
export async function cleanUp(dataDir: string, ...processes: (ServiceProcess | undefined)[]) {
  for (const one of processes) if (one && one.child.exitCode === null) one.child.kill('SIGKILL')
  const pid = postgresPid(dataDir)
  if (pid) process.kill(pid, 'SIGQUIT')
  for (let i = 0; i < 100 && postgresPid(dataDir); i++) await sleep(50)
  // The database may be elsewhere, behind a link.
  await realpath(join(dataDir, 'database')).then(
    (path) => rm(path, { recursive: true, force: true }),
    () => {},
  )
  await rm(dataDir, { recursive: true, force: true })
}
