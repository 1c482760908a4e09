import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions } from './worker-process.ts'

/** The service is stopping: no new task starts. */
export class ProcessPoolClosed extends Error {}

export type ProcessPoolOptions = WorkerProcessOptions & {
  /** Milliseconds that an idle process stays. */
  idleMs: number
  /**
   * Describes what processes read at their start, such as a folder. When it changes, the next task gets a new process.
   */
  version?: () => Promise<string>
}

/** Worker processes that stay a while for the next task. The caller bounds how many are in use at once. */
export function createProcessPool<Task extends object, Head>(
  script: URL,
  { idleMs, version, ...options }: ProcessPoolOptions,
) {
  type Process = WorkerProcess<Task, Head>
  const processes = new Set<Process>()
  const idle = new Map<Process, NodeJS.Timeout>()
  const versions = new WeakMap<Process, string | undefined>()
  let isClosed = false

  function forget(process: Process) {
    processes.delete(process)
    clearTimeout(idle.get(process))
    idle.delete(process)
  }

  const pool = {
    /**
     * Takes an idle process or a new one. The most recently used comes first, so that others can expire. @throws
     * ProcessPoolClosed
     */
    async take(): Promise<Process> {
      if (isClosed) throw new ProcessPoolClosed()
      const current = version && (await version())
      if (isClosed) throw new ProcessPoolClosed()
      for (const process of [...idle.keys()].filter((process) => versions.get(process) !== current)) {
        forget(process)
        void process.end()
      }
      const [kept, timer] = [...idle].at(-1) ?? []
      if (kept) {
        clearTimeout(timer)
        idle.delete(kept)
        return kept
      }
      const started: Process = await startWorkerProcess(script, options)
      processes.add(started)
      versions.set(started, current)
      void started.ended.then(() => forget(started))
      // The pool was closed while this process started.
      if (isClosed) await started.end()
      return started
    },

    /** Returns a process that has completed its task. */
    release(process: Process) {
      // It may have ended after its answer, or be about to end because of a timeout or an abort.
      if (!processes.has(process) || process.isEnding()) return
      const end = () => {
        // Not available while it ends.
        idle.delete(process)
        void process.end()
      }
      idle.set(process, setTimeout(end, idleMs).unref())
    },

    /**
     * Runs work with a process, which an abort ends. It stays for the next task if the work calls `keep`.
     * @throws ProcessPoolClosed; the signal's reason; errors of the work
     */
    async run<Result>(
      work: (process: Process, keep: () => void) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> {
      signal?.throwIfAborted()
      const process = await pool.take()
      const stop = () => void process.end()
      signal?.addEventListener('abort', stop)
      let isKept = false
      try {
        if (signal?.aborted) stop()
        return await work(process, () => {
          isKept = true
        })
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      } finally {
        signal?.removeEventListener('abort', stop)
        if (isKept) pool.release(process)
        else stop()
      }
    },

    /** Ends all processes; their tasks fail with WorkerExited. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...processes].map((process) => process.end()))
    },
  }
  return pool
}
