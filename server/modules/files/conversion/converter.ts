import { availableParallelism } from 'node:os'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { HttpError } from '../../../platform/errors.ts'
import { programFile } from '../../../platform/process/project-files.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import { exitCause, type WorkerExited } from '../../../platform/sandbox/worker-process.ts'
import type { ConversionReport } from '../schema.ts'
import { ConversionFailure, type ConverterAnswer, type ConverterTask, failureOf } from './converter-task.ts'
import type { ConversionOptions } from './schema.ts'

/** The service is stopping; the model is not at fault. */
export class ConverterClosed extends Error {}

/**
 * The process was killed from outside (by an operator or for lack of memory) or did not start: the model may be valid,
 * and is retried.
 */
export class ConverterKilled extends HttpError {
  constructor(cause: Error) {
    super(503, 'The converter was interrupted: send the request again', { 'retry-after': '5' })
    this.cause = cause
  }
}

/** A USDZ or GLB, and how long the conversion took. */
export type Converted = { bytes: Uint8Array; report: ConversionReport; seconds: number }

type Load = () => Promise<Uint8Array>
/** `image`: of the anchor. */
type Choices = { options?: ConversionOptions | undefined; image?: Uint8Array | undefined }
type Options = {
  /** Size of the largest model in bytes. */
  maxBytes: number
  /** Time limit of one conversion in seconds. */
  seconds: number
  /**
   * Concurrent conversions: one more than the machine's parallelism, so that a single sender cannot occupy them all. A
   * check of an upload always has one extra process.
   */
  size?: number
  /** Megabytes of JavaScript heap per process. */
  heapMegabytes?: number
  /** Milliseconds that an idle process keeps its memory. */
  idleMs?: number
  /** The script that the processes run. */
  script?: URL
}

export type Converter = ReturnType<typeof createConverter>

/**
 * Converts in processes that are started when first needed and reused. A process that loops, dies or exhausts its
 * memory fails its model only; the next model gets a new process.
 */
export function createConverter({
  maxBytes,
  seconds,
  size = availableParallelism() + 1,
  heapMegabytes = 1024,
  idleMs = 30_000,
  script = programFile('server/modules/files/conversion/converter-process'),
}: Options) {
  const processes = createProcessPool<ConverterTask, ConverterAnswer>(script, { heapMegabytes, idleMs })
  const limitAll = createConcurrencyLimiter({ maxConcurrent: size + 1 })
  const limitConversions = createConcurrencyLimiter({ maxConcurrent: size })
  let closed = false

  async function run(kind: ConverterTask['kind'], load: Load, { options, image }: Choices = {}): Promise<Converted> {
    try {
      if (closed) throw new ConverterClosed()
      const model = await load()
      if (closed) throw new ConverterClosed()
      return await processes.run(async (process, keep) => {
        const began = performance.now()
        const { head, bytes } = await process.ask(
          {
            kind,
            limits: { bytes: maxBytes },
            ...(options && { options }),
            ...(image && { imageBytes: image.length }),
          },
          image ? Buffer.concat([model, image]) : model,
          seconds,
        )
        keep()
        if (!head.ok) throw new ConversionFailure(head.code, head.message)
        return { bytes, report: head.report!, seconds: (performance.now() - began) / 1000 }
      })
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

    /**
     * Checks the container only. @throws ConversionFailure if it is not a readable GLB; ConverterKilled;
     * ConverterClosed if the service stops
     */
    async check(load: Load): Promise<void> {
      await limitAll(() => run('check', load))
    },

    /**
     * @param load provides the model once a process is free @throws ConversionFailure if it cannot be converted;
     * ConverterKilled; ConverterClosed if the service stops
     */
    convert: (load: Load, choices?: Choices): Promise<Converted> =>
      limitConversions(() => limitAll(() => run('convert', load, choices))),

    /** Ends all processes; waiting and running tasks fail with ConverterClosed. */
    async close() {
      closed = true
      await processes.close()
    },
  }
}
