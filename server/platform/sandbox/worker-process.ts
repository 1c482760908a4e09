import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { sandboxAccount } from './drop-root.ts'
import { type Frame, readFrames, writeFrame } from './frames.ts'

/** Why a process is there no more: it took too long, filled its memory, failed on its task, was told to go, or was killed by somebody else, such as a machine without memory. */
type Cause = 'late' | 'memory' | 'fault' | 'ended' | 'killed'

export class WorkerExited extends Error {
  readonly why: Cause

  constructor(why: Cause, detail: string) {
    super(detail)
    this.why = why
  }
}

/** Why the process is there no more, if that is the error. One that did not come up counts as killed. */
export function exitCause(error: unknown): Cause | undefined {
  if (error instanceof WorkerExited) return error.why
  return error instanceof Error && error.cause instanceof WorkerExited ? 'killed' : undefined
}

export type WorkerProcessOptions = {
  /** Megabytes of JavaScript heap it may fill. */
  heapMegabytes: number
  /** Megabytes of one half of the young part of it: less is collected more often, 32 unless said. */
  youngMegabytes?: number
  /** Whether it does without what costs more memory than time in a small process. */
  isSmall?: boolean
  /** Bytes of its largest answer. */
  maxBytes?: number
  /** Folders beside the code that it may read, by the names of its environment that hold their paths: `{ CAIRN_GRIDS: '/data/grids' }`. */
  folders?: Record<string, string>
}

/** The stack of a main thread is 8 MB where nobody changed it; some of it is for native code. */
const STACK_KILOBYTES = 7000
const START_SECONDS = 60
/** Signals that come from outside. V8 aborts when its heap is full; the others a process gets for what it does. */
const ENDED_BY = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
/** Node strips the types of each source by WebAssembly: without optimizing that, it has 12 MB of machine code less. Buffers
 * come and go: given back to the system, and not kept for each thread as the C library of most Linux does, they are 14 MB less. */
const SMALL = {
  flags: ['--liftoff-only'],
  environment: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536' },
}
/** The folders of the project that hold code, and what says how to read it. */
const CODE = ['server', 'usdz', 'node_modules', 'package.json'].map((name) =>
  fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
)
/** What a process says once it can take tasks. */
export const READY = { ready: true }

export type WorkerProcess<Task extends object, Head> = Awaited<ReturnType<typeof startWorkerProcess<Task, Head>>>

/**
 * A process that does one task at a time for this one, for work on bytes that nobody vouches for: whatever they make
 * it do, loop, fill its memory or fail in native code, it ends alone, and at once when it is told to. It may neither
 * write files nor start programs, reads the project's code, the `folders` and no other file, and knows nothing else of
 * the service's settings; native code in it is not held to that. Where this process is root, it is not: it gives that up
 * before its first task. It outlives signals to the group, and ends with this process.
 * `script`, in `server/`, calls `runTaskLoop`.
 */
export async function startWorkerProcess<Task extends object, Head>(
  script: URL,
  { heapMegabytes, youngMegabytes = 32, isSmall = false, maxBytes = 2 ** 31, folders = {} }: WorkerProcessOptions,
) {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapMegabytes}`,
      `--max-semi-space-size=${youngMegabytes}`,
      ...(isSmall ? SMALL.flags : []),
      `--stack-size=${STACK_KILOBYTES}`,
      '--permission',
      ...mayRead(Object.values(folders)),
      '--allow-addons',
      '--allow-worker',
      fileURLToPath(script),
    ],
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: { ...(isSmall && SMALL.environment), ...folders, ...sandboxAccount() },
    },
  )
  const ended = new Promise<WorkerExited>((resolve) => {
    child.once('error', (error) => resolve(new WorkerExited('fault', error.message)))
    child.once('exit', (code, signal) => {
      const why = told ?? (signal === 'SIGABRT' ? 'memory' : signal && ENDED_BY.has(signal) ? 'killed' : 'fault')
      resolve(new WorkerExited(why, fault ?? `it ended with ${signal ?? `code ${code}`}`))
    })
  })
  let told: Cause | undefined
  let fault: string | undefined
  const end = (why: Cause) => {
    told ??= why
    child.kill('SIGKILL')
  }

  const socket = child.stdio[3] as Duplex & { unref: () => void }
  // A process that is gone shows as the end of its frames.
  socket.on('error', () => {})
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

  child.unref()
  socket.unref()
  await within(START_SECONDS, end, next).catch((cause) => {
    throw new Error('A process for work apart did not start', { cause })
  })

  return {
    /** @throws WorkerExited when the process ends over it, or is made to after so many seconds: then it is of no more use */
    ask: (task: Task, bytes: Uint8Array, seconds: number): Promise<Frame<Head>> =>
      within(seconds, end, async () => {
        await writeFrame(socket, task, bytes).catch(() => {})
        return next()
      }),

    pid: child.pid,

    /** Whether it was told to end: it may take a moment. */
    isEnding: () => told !== undefined,

    /** Once it is gone, for whatever cause. */
    ended,

    /** Ends it at once; what it was asked is refused. */
    async end(): Promise<void> {
      end('ended')
      await ended
    },
  }
}

/** A folder may be a link to where another copy of the project has it. */
function mayRead(folders: string[]): string[] {
  const there = [...CODE, ...folders].filter((path) => existsSync(path))
  return [...new Set([...there, ...there.map((path) => realpathSync(path))])].map((path) => `--allow-fs-read=${path}`)
}

/** The timer also keeps this process from ending while an answer is awaited. */
async function within<T>(seconds: number, end: (why: Cause) => void, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => end('late'), seconds * 1000)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
