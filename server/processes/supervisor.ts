import cluster, { type Worker } from 'node:cluster'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/logging/log.ts'
import type { Undo } from '../run-app.ts'
import { type Assignment, type FromPart, MARK, type ToPart } from './messages.ts'

/** A process that ends earlier after its start is replaced after a pause. */
const QUICK_END_MS = 5_000
const PAUSE_MS = 1_000
/** A process that has not stopped within this time, and the drain time of those that serve, is killed. */
const STOP_MS = 45_000
/** A process that answers none of this many pings, one in each interval, is stuck: it is killed. */
const PING_MS = 5_000
const MAX_UNANSWERED = 3
/** The supervisor ends all processes when one more replacement is needed after this many in a row have failed to start. */
const MAX_FAILURES = 20

type Options = {
  config: Config
  databaseUrl: string
  log: Log
  undo: Undo
  /** Ends this process. */
  fail: (why: string) => void
}
type Ready = { folder: string }
type Part = { worker: Worker; ended: Promise<string> }
type Launched = { ready: Promise<Ready>; ended: Promise<string> }

/** The number of serving processes; a worker is one process. `auto`: one for each core, or for every second core if PostgreSQL runs beside them. */
export function servingProcessesOf(
  { CAIRN_PROCESSES, CAIRN_DATABASE_URL, CAIRN_ROLE }: Config,
  cores = availableParallelism(),
) {
  if (CAIRN_ROLE === 'worker') return 1
  if (CAIRN_PROCESSES !== 'auto') return CAIRN_PROCESSES
  return CAIRN_DATABASE_URL ? cores : Math.max(1, Math.floor(cores / 2))
}

/**
 * Starts a coordinator, which keeps what processes share and runs the jobs, and then the serving processes. Replaces any
 * that ends. They share the port through `node:cluster`: this process accepts connections and hands them out in turn, so
 * that none waits at a process that is gone. @returns the message about the start
 */
export async function supervise({ config, databaseUrl, log, undo, fail }: Options): Promise<string> {
  const parts = new Map<string, Part>()
  let isStopping = false
  let folder: string | undefined
  const send = (name: string, message: ToPart) => parts.get(name)?.worker.send(message)

  function launch(part: Assignment['part'], name: string): Launched {
    let worker: Worker
    try {
      worker = cluster.fork(MARK)
    } catch (error) {
      const ready = Promise.reject(error)
      ready.catch(() => {})
      return { ready, ended: Promise.resolve((error as Error).message) }
    }
    const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()
    const ended = new Promise<string>((resolve) => {
      const end = (how: string) => {
        if (parts.get(name)?.worker === worker) parts.delete(name)
        reject(new Error(`The process "${name}" ended while it started: ${how}`))
        resolve(how)
      }
      worker.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
      // Without a process there is no exit. Other errors are messages to a process that has ended.
      worker.on('error', (error) => worker.process.pid === undefined && end(error.message))
    })
    worker.on('message', (message: FromPart) => {
      if ('ready' in message) resolve(message.ready)
      if ('failed' in message) reject(new Error(message.failed))
    })
    ready.then(
      () => killIfStuck(worker, () => log.error({ process: name }, 'a process does not respond; it is killed')),
      () => {},
    )
    parts.set(name, { worker, ended })
    worker.send({ part, name, config, databaseUrl, folder } satisfies Assignment)
    return { ready, ended }
  }

  /** Keeps a process running. @throws if it does not start the first time */
  async function keep(part: Assignment['part'], name: string): Promise<Ready> {
    const first = launch(part, name)
    const ready = await first.ready
    void replace(part, name, first.ended)
    return ready
  }

  async function replace(part: Assignment['part'], name: string, firstEnded: Promise<string>): Promise<void> {
    let failures = 0
    for (let ended = firstEnded; ; ) {
      const since = performance.now()
      const how = await ended
      if (isStopping) return
      log.error({ process: name, how }, 'a process ended; it is replaced')
      if (failures === MAX_FAILURES) return fail(`the process "${name}" cannot be started`)
      if (performance.now() - since < QUICK_END_MS) await sleep(PAUSE_MS)
      if (isStopping) return
      failures++
      const next = launch(part, name)
      next.ready.then(
        () => {
          failures = 0
        },
        (error) => log.error({ err: error, process: name }, 'failed to replace a process'),
      )
      ended = next.ended
    }
  }

  async function stop(names: string[], ms: number): Promise<void> {
    const stopping = names.flatMap((name) => parts.get(name) ?? [])
    for (const name of names) send(name, { stop: true })
    const killAll = () => {
      for (const { worker } of stopping) worker.process.kill('SIGKILL')
    }
    const timer = setTimeout(killAll, ms)
    await Promise.all(stopping.map(({ ended }) => ended))
    clearTimeout(timer)
  }

  const serving = Array.from({ length: servingProcessesOf(config) }, (_, i) => String(i + 1))
  undo.push(async () => {
    isStopping = true
    await stop(serving, config.CAIRN_DRAIN_SECONDS * 1000 + STOP_MS)
    // Last: those that serve need it until their last request.
    await stop(['coordinator'], STOP_MS)
    if (folder) rmSync(folder, { recursive: true, force: true })
  })
  folder = (await keep('coordinator', 'coordinator')).folder
  await Promise.all(serving.map((name) => keep('serving', name)))
  return messageFrom(parts.get('1')!.worker)
}

/** Kills a process that stops answering, which a start may be too busy for. */
function killIfStuck(worker: Worker, report: () => void): void {
  let unanswered = 0
  worker.on('message', (message: FromPart) => {
    if ('pong' in message) unanswered = 0
  })
  const timer = setInterval(() => {
    if (unanswered++ < MAX_UNANSWERED) return void worker.send({ ping: true } satisfies ToPart)
    report()
    worker.process.kill('SIGKILL')
  }, PING_MS)
  worker.once('exit', () => clearInterval(timer))
}

function messageFrom(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromPart) => 'message' in message && resolve(message.message))
    worker.once('exit', () => reject(new Error('A process ended while the service started')))
    worker.send({ message: true } satisfies ToPart)
  })
}
