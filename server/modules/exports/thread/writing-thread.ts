import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { HttpError } from '../../../platform/errors.ts'
import { programFile } from '../../../platform/process/project-files.ts'
import type { Measured } from '../projections/projected-batches.ts'
import type { Calls, Ended, FromThread, Job, MeasureJob, Piece, ToThread, WriteJob } from './messages.ts'

/** Milliseconds that an idle thread is kept. */
const IDLE_MS = 10_000
/** Jobs at a time. A slow reader's job holds the points of one read, about 20 MB at most. */
const MAX_JOBS = 24
const MEMORY_MB = 1024

type Step = { piece: Piece; wantNext: () => void } | { ended: Ended }
type Started = { worker: Worker; jobs: Set<(step: Step) => void> }

export type WritingThread = ReturnType<typeof createWritingThread>

/**
 * Writes the text of exports in a thread, so that the main thread only passes on what PostgreSQL and the thread have
 * written. The thread starts with the first export and ends when idle. Exports take turns in it.
 */
export function createWritingThread() {
  let started: Started | undefined
  let timer: NodeJS.Timeout | undefined

  function start(): Started {
    const worker = new Worker(programFile('server/modules/exports/thread/export-thread'), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const jobs: Started['jobs'] = new Set()
    const made = { worker, jobs }
    const lost = (message: string) => {
      if (started === made) started = undefined
      for (const tell of jobs) tell({ ended: { failed: { message } } })
    }
    worker.once('error', (error: Error) => lost(error.stack ?? error.message))
    worker.once('exit', (code) => lost(`The thread that writes exports ended with code ${code}`))
    worker.unref()
    return made
  }

  function endIfIdle() {
    if (!started || started.jobs.size > 0) return
    const { worker } = started
    timer = setTimeout(() => {
      started = undefined
      void worker.terminate()
    }, IDLE_MS).unref()
  }

  /** Runs a job, one piece each time that one is wanted. @throws errors of its calls; HttpError 400 */
  async function* run(job: Job, calls: Calls): AsyncGenerator<Piece, Measured | undefined, undefined> {
    clearTimeout(timer)
    started ??= start()
    const { worker, jobs } = started
    const { port1: port, port2 } = new MessageChannel()
    const answering = answerCalls(port, calls)
    jobs.add(answering.tell)
    worker.postMessage({ job, port: port2 }, [port2])
    try {
      for (;;) {
        const step = await answering.next()
        if ('ended' in step) return resultOf(step.ended, answering.fault())
        yield step.piece
        step.wantNext()
      }
    } finally {
      port.close()
      jobs.delete(answering.tell)
      endIfIdle()
    }
  }

  return {
    /** Whether no further job fits into the memory of the thread. */
    isFull: (): boolean => (started?.jobs.size ?? 0) >= MAX_JOBS,

    /** Checks the transformation of all points. @throws HttpError 400 */
    async measure(job: MeasureJob, calls: Pick<Calls, 'points' | 'place'>) {
      const { value } = await run({ kind: 'measure', ...job }, calls as Calls).next()
      return value as Measured
    },

    /** The pieces of a file. */
    write: (job: WriteJob, calls: Calls): AsyncGenerator<Piece, unknown, undefined> =>
      run({ kind: 'write', ...job }, calls),

    /** Ends the thread; its jobs fail. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await started?.worker.terminate()
    },
  }
}

/** Answers the calls of a job, and keeps its steps until they are wanted. */
function answerCalls(port: MessagePort, calls: Calls) {
  const steps: Step[] = []
  let wake = () => {}
  let fault: unknown
  const tell = (step: Step) => {
    steps.push(step)
    wake()
  }
  const answer = (message: ToThread) => {
    const { value } = message
    port.postMessage(message, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
  }
  port.on('message', (message: FromThread) => {
    if ('ended' in message) return tell(message)
    const { id, call, value } = message
    if (call === 'take') return tell({ piece: value as Piece, wantNext: () => answer({ id }) })
    ;(calls[call] as (value: unknown) => Promise<unknown>)(value).then(
      (value) => answer({ id, value }),
      (error) => {
        fault ??= error
        answer({ id, isFailed: true })
      },
    )
  })
  return {
    tell,
    /** The error of the first call that failed. */
    fault: () => fault,
    async next(): Promise<Step> {
      while (steps.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return steps.shift()!
    },
  }
}

function resultOf(ended: Ended, fault: unknown): Measured | undefined {
  if (!('failed' in ended)) return ended.measured
  if (fault !== undefined) throw fault
  const { message, http } = ended.failed
  throw http ? new HttpError(http.status, http.error) : new Error(message)
}
