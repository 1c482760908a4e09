import { availableParallelism } from 'node:os'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { HttpError } from '../../../platform/errors.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import { exitCause, type WorkerExited } from '../../../platform/sandbox/worker-process.ts'
import type { ConversionReport } from '../schema.ts'
import { ConversionFailure, type ConverterAnswer, type ConverterTask, failureOf } from './converter-task.ts'

/** The service is stopping; the model is not to blame. */
export class ConverterClosed extends Error {}

/** The process was ended from outside, by an operator or a machine without memory, or did not come up: the model may be sound, and is tried again. */
export class ConverterKilled extends HttpError {
  constructor(cause: Error) {
    super(503, 'The converter was ended from outside: send this again', { 'retry-after': '5' })
    this.cause = cause
  }
}

/** A USDZ, and how long it took to make. */
export type Converted = { usdz: Uint8Array; report: ConversionReport; seconds: number }

type Load = () => Promise<Uint8Array>
type Options = {
  /** Size of the largest GLB. */
  maxBytes: number
  /** Seconds one conversion may take. */
  seconds: number
  /** Conversions at once: one more than the machine does side by side, which is for those whom a single sender would keep waiting. A check of an upload always finds one process more. */
  size?: number
  /** Megabytes of JavaScript heap a process may fill. */
  heapMegabytes?: number
  /** Milliseconds a process without work keeps its memory. */
  idleMs?: number
  /** What the processes run. */
  script?: URL
}

export type Converter = ReturnType<typeof createConverter>

/** Converts in processes that stay for the next model, started as they are first needed. One that loops, dies or fills its memory ends alone: its model fails and the next one gets a new process. */
export function createConverter({
  maxBytes,
  seconds,
  size = availableParallelism() + 1,
  heapMegabytes = 1024,
  idleMs = 30_000,
  script = new URL('./converter-process.ts', import.meta.url),
}: Options) {
  const processes = createProcessPool<ConverterTask, ConverterAnswer>(script, { heapMegabytes, idleMs })
  const limitAll = createConcurrencyLimiter({ maxConcurrent: size + 1 })
  const limitConversions = createConcurrencyLimiter({ maxConcurrent: size })
  let closed = false

  async function run(kind: ConverterTask['kind'], load: Load): Promise<Converted> {
    try {
      if (closed) throw new ConverterClosed()
      const glb = await load()
      if (closed) throw new ConverterClosed()
      const process = await processes.take()
      const began = performance.now()
      const { head, bytes } = await process.ask({ kind, limits: { bytes: maxBytes } }, glb, seconds)
      processes.giveBack(process)
      if (!head.ok) throw new ConversionFailure(head.code, head.message)
      return { usdz: bytes, report: head.report!, seconds: (performance.now() - began) / 1000 }
    } catch (error) {
      const why = exitCause(error)
      if (why === undefined) throw error
      if (closed) throw new ConverterClosed()
      throw why === 'killed' ? new ConverterKilled(error as Error) : failureOf(error as WorkerExited, seconds)
    }
  }

  return {
    size,
    maxBytes,

    /** Looks at the container only. @throws ConversionFailure when it is no readable GLB; ConverterKilled; ConverterClosed when the service stops. */
    async check(load: Load): Promise<void> {
      await limitAll(() => run('check', load))
    },

    /** @param load gives the GLB once a process is free for it.
     * @throws ConversionFailure when there is no USDZ of it; ConverterKilled; ConverterClosed when the service stops. */
    convert: (load: Load): Promise<Converted> => limitConversions(() => limitAll(() => run('convert', load))),

    /** Ends all processes; what waits or runs is refused with ConverterClosed. */
    async close() {
      closed = true
      await processes.close()
    },
  }
}
