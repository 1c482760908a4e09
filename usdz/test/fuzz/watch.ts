import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './worker.ts'

const script = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Time and memory limits of a conversion; exceeding them is reported. */
export type Bounds = { seconds: number; megabytes: number }
export type FuzzOptions = {
  count: number
  from?: number
  seed?: number
  lanes?: number
  bounds?: Bounds
  onProgress?: (done: number) => void
}
export type FuzzResult = { counts: Record<string, number>; wrong: Outcome[]; slowest: Outcome[] }

/** Converts mutants in child processes, one at a time in each, with time and memory limits. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { count, from = 0, seed = 1, lanes = 2, bounds = { seconds: 60, megabytes: 1500 }, onProgress } = options
  const result: FuzzResult = { counts: {}, wrong: [], slowest: [] }
  let next = from
  let done = 0
  const lane = async () => {
    let child = await start(bounds)
    while (next < from + count) {
      const index = next++
      const outcome = await child.run({ seed, index })
      if (!child.isAlive()) child = await start(bounds)
      result.counts[outcome.kind] = (result.counts[outcome.kind] ?? 0) + 1
      if (!sound.has(outcome.kind)) result.wrong.push(outcome)
      result.slowest = [...result.slowest, outcome].sort((a, b) => b.seconds - a.seconds).slice(0, 5)
      if (++done % 500 === 0) onProgress?.(done)
    }
    child.stop()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return result
}

const sound = new Set(['converted', 'malformed', 'unsupported', 'too_large'])

type Child = { run(task: { seed: number; index: number }): Promise<Outcome>; isAlive(): boolean; stop(): void }

async function start(bounds: Bounds): Promise<Child> {
  const process = fork(script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let errors = ''
  process.stderr!.on('data', (text: Buffer) => {
    errors = `${errors}${text}`.slice(-2000)
  })
  await new Promise<void>((resolve, reject) => {
    process.once('message', () => resolve())
    process.once('exit', () => reject(new Error(`The conversion process did not start: ${errors}`)))
  })
  return {
    run: async (task) => await once(process, task, bounds, () => errors),
    isAlive: () => process.connected && process.exitCode === null && process.signalCode === null,
    stop: () => process.disconnect(),
  }
}

/** Runs one task; ends a process that does not respond or grows too large. */
async function once(
  process: ChildProcess,
  task: { seed: number; index: number },
  bounds: Bounds,
  errors: () => string,
): Promise<Outcome> {
  return await new Promise((resolve) => {
    const failed = (kind: string, fault: string) =>
      finish({ index: task.index, name: '', kind, seconds: bounds.seconds, megabytes: 0, fault })
    const onExit = (code: number | null, signal: string | null) => failed('crash', `${code ?? signal}: ${errors()}`)
    const onMessage = (outcome: Outcome) => {
      const isLarge = outcome.megabytes > bounds.megabytes
      if (isLarge) process.kill('SIGKILL')
      finish(isLarge ? { ...outcome, kind: 'memory', fault: `${outcome.kind}: ${outcome.megabytes} MB` } : outcome)
    }
    const timer = setTimeout(() => {
      failed('hang', `nothing after ${bounds.seconds} s`)
      process.kill('SIGKILL')
    }, bounds.seconds * 1000)
    const finish = (outcome: Outcome) => {
      clearTimeout(timer)
      process.off('exit', onExit)
      process.off('message', onMessage)
      if (isOver(outcome.kind)) process.once('exit', () => resolve(outcome))
      else resolve(outcome)
      if (outcome.kind === 'crash') resolve(outcome)
    }
    process.on('exit', onExit)
    process.on('message', onMessage)
    process.send(task)
  })
}

const isOver = (kind: string) => kind === 'hang' || kind === 'memory'
