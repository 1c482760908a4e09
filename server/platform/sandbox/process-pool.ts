import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions } from './worker-process.ts'

/** Nothing new is begun: the service is stopping. */
export class ProcessPoolClosed extends Error {}

export type ProcessPoolOptions = WorkerProcessOptions & {
  /** Milliseconds that a process without work stays. */
  idleMs: number
  /** Describes what processes read when they start, such as a folder. When it changes, the next task gets a new process. */
  version?: () => Promise<string>
}

/** Work processes that stay a while for the next task. How many there are at once is for the caller to bound. */
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

  return {
    /** One without work, or a new one. The one that was used last comes first, so that the others may go. @throws ProcessPoolClosed */
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
      // Closed meanwhile: it was not there yet to be ended.
      if (isClosed) await started.end()
      return started
    },

    /** Gives one back that is done with its task. */
    giveBack(process: Process) {
      // It may have ended after its answer, or be about to: by a time that was up, or by who gave up.
      if (!processes.has(process) || process.isEnding()) return
      const end = () => {
        // Until it is gone nobody may take it.
        idle.delete(process)
        void process.end()
      }
      idle.set(process, setTimeout(end, idleMs).unref())
    },

    /** Ends all of them; what they were asked is refused with WorkerExited. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...processes].map((process) => process.end()))
    },
  }
}
