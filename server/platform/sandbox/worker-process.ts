import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { codeFolders } from '../process/project-files.ts'
import { sandboxAccount } from './drop-root.ts'
import { type Frame, readFrames, writeFrame } from './frames.ts'

/**
 * Why a process ended: timeout, memory limit, failure on its task, request, or a kill from outside, for example for
 * lack of memory.
 */
type Cause = 'late' | 'memory' | 'fault' | 'ended' | 'killed'

export class WorkerExited extends Error {
  readonly why: Cause

  constructor(why: Cause, detail: string) {
    super(detail)
    this.why = why
  }
}

/** The cause if this error means that the process ended. A failed start counts as killed. */
export function exitCause(error: unknown): Cause | undefined {
  if (error instanceof WorkerExited) return error.why
  return error instanceof Error && error.cause instanceof WorkerExited ? 'killed' : undefined
}

export type WorkerProcessOptions = {
  /** Megabytes of JavaScript heap. */
  heapMegabytes: number
  /** Megabytes of a young generation semi-space: larger means fewer collections. 32 by default. */
  youngMegabytes?: number
  /** Whether to save memory at the cost of some time. */
  isSmall?: boolean
  /** Bytes of its largest answer. */
  maxBytes?: number
  /**
   * Readable folders besides the code, by the environment variables that hold their paths: `{ CAIRN_GRIDS:
   * '/data/grids' }`.
   */
  folders?: Record<string, string>
}

type Pipe = Duplex & { unref: () => void }

/** A main thread usually has an 8 MB stack; native code needs some of it. */
const STACK_KILOBYTES = 7000
const START_SECONDS = 60
/** Signals from outside. V8 aborts if its heap is full; others are caused by the process itself. */
const ENDED_BY = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
/**
 * Node strips types by WebAssembly: without optimizing that, there are 12 MB less of machine code. Returning buffers to
 * the system, instead of one malloc arena per thread, saves another 14 MB.
 */
const SMALL = {
  flags: ['--liftoff-only'],
  environment: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536' },
}
/**
 * Runs a program that is killed when file 4, a pipe from this process, closes without a line: a program that loops would
 * not notice that its parent is gone. A shell takes 1 MB for this, a thread of the program 16 MB.
 */
const TIED_TO_PARENT = '(read -r _ <&4 || kill -9 $$) 3>&- & exec "$@" 4>&-'
/** The message of a process that is ready for tasks. */
export const READY = { ready: true }

export type WorkerProcess<Task extends object, Head> = Awaited<ReturnType<typeof startWorkerProcess<Task, Head>>>

/**
 * Starts a process that runs one task at a time on untrusted bytes: if they make it loop, exhaust its memory or crash
 * in native code, it ends alone, and at once on request. It cannot write files or start programs, reads only the
 * project's code and `folders`, and gets no settings of the service (native code in it is not bound by this). If this
 * process is root, it drops root before its first task. It ignores signals to the group and ends with this process.
 * `script`, in `server/`, calls `runTaskLoop`.
 */
export async function startWorkerProcess<Task extends object, Head>(
  script: URL,
  { heapMegabytes, youngMegabytes = 32, isSmall = false, maxBytes = 2 ** 31, folders = {} }: WorkerProcessOptions,
) {
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      TIED_TO_PARENT,
      'sh',
      process.execPath,
      `--max-old-space-size=${heapMegabytes}`,
      `--max-semi-space-size=${youngMegabytes}`,
      ...(isSmall ? SMALL.flags : []),
      `--stack-size=${STACK_KILOBYTES}`,
      '--permission',
      ...mayRead(Object.values(folders)),
      '--allow-addons',
      fileURLToPath(script),
    ],
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...(isSmall && SMALL.environment), ...folders, ...sandboxAccount() },
    },
  )
  const [socket, tie] = child.stdio.slice(3) as [Pipe, Pipe]
  const ended = new Promise<WorkerExited>((resolve) => {
    child.once('error', (error) => resolve(new WorkerExited('fault', error.message)))
    child.once('exit', (code, signal) => {
      tie.end('\n')
      const why = endCause ?? (signal === 'SIGABRT' ? 'memory' : signal && ENDED_BY.has(signal) ? 'killed' : 'fault')
      resolve(new WorkerExited(why, fault ?? `it ended with ${signal ?? `code ${code}`}`))
    })
  })
  let endCause: Cause | undefined
  let fault: string | undefined
  const end = (why: Cause) => {
    endCause ??= why
    child.kill('SIGKILL')
  }

  // The end of the process shows as the end of its frames.
  for (const pipe of [socket, tie]) pipe.on('error', () => {})
  const frames = readFrames<Head & { fault?: string }>(socket, maxBytes)
  async function next(): Promise<Frame<Head>> {
    const { value } = await frames.next().catch((error: Error) => {
      fault = error.message
      end('fault')
      return { value: undefined }
    })
    fault ??= value?.head.fault
    if (value && fault === undefined) return value
    throw await ended
  }

  for (const handle of [child, socket, tie]) handle.unref()
  await within(START_SECONDS, end, next).catch((cause) => {
    throw new Error('A sandboxed process did not start', { cause })
  })

  return {
    /** @throws WorkerExited if the process ends meanwhile, or is ended after this many seconds; it is then unusable */
    ask: (task: Task, bytes: Uint8Array, seconds: number): Promise<Frame<Head>> =>
      within(seconds, end, async () => {
        await writeFrame(socket, task, bytes).catch(() => {})
        return next()
      }),

    pid: child.pid,

    /** Whether it is ending, which may take a moment. */
    isEnding: () => endCause !== undefined,

    /** Resolves once it has ended, for any cause. */
    ended,

    /** Ends it at once; its task fails. */
    async end(): Promise<void> {
      end('ended')
      await ended
    },
  }
}

/** A folder may be a symbolic link into another copy of the project. */
function mayRead(folders: string[]): string[] {
  const there = [...codeFolders(), ...folders.filter((path) => existsSync(path))]
  return [...new Set([...there, ...there.map((path) => realpathSync(path))])].map((path) => `--allow-fs-read=${path}`)
}

/** The timer also keeps this process alive while an answer is awaited. */
async function within<T>(seconds: number, end: (why: Cause) => void, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => end('late'), seconds * 1000)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
